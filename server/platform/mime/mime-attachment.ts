/**
 * The part of a message with a file: its type, its name in any script (RFC 2231, with an ASCII name for old clients),
 * its Content-ID, and its bytes as base64.
 */
import { asSevenBit, isPrintableAscii, refuseLineBreaks, wrapBase64 } from './mime-encoding.ts'

export interface Attachment {
  filename: string
  /** The bytes, or a base64 string, which is sent unchanged. */
  content: Buffer | string
  contentType: string
  /** Referenced as `cid:<contentId>` by the HTML. */
  contentId?: string
  disposition: 'attachment' | 'inline'
}

/** An attachment as it is stored with an email, in base64. */
export type StoredAttachment = Attachment & { content: string }

/** Without its content. `size`: in bytes, decoded. */
export type DescribedAttachment = Omit<StoredAttachment, 'content'> & { size: number }

/** The decoded size of a base64 string, without decoding it. */
export function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}

/**
 * A part of a multipart message: its header fields (each with its line break) and the chunks of its body; strings are
 * ASCII only.
 */
export interface Part {
  headers: string
  body: Array<string | Buffer>
}

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+"
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`)
const CONTENT_TYPE_MAX = 255
const CONTENT_ID_MAX = 900

/** `type/subtype` with any parameters, as in `text/calendar; method=REQUEST`. */
export const isContentType = (value: string): boolean => value.length <= CONTENT_TYPE_MAX && CONTENT_TYPE.test(value)

export function attachmentPart(attachment: Attachment, boundaryMark: string): Part {
  const { contentType, contentId, content } = attachment
  if (!isContentType(contentType)) throw new Error(`Invalid content type: ${JSON.stringify(contentType)}`)
  let headers = dispositionHeader(attachment.disposition, attachment.filename)
  if (contentId) headers += `Content-ID: <${wireContentId(contentId)}>\r\n`

  // Composite types must not be encoded; if one can't be sent unencoded, it is sent as an opaque file with its name.
  const isMessage = /^message\//i.test(contentType)
  const bare = isMessage ? asSevenBit(toBuffer(content), boundaryMark) : undefined
  if (bare) {
    return { headers: `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: 7bit\r\n${headers}`, body: [bare] }
  }
  const type = isMessage || /^multipart\//i.test(contentType) ? 'application/octet-stream' : contentType
  return {
    headers: `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${headers}`,
    body: [wrapBase64(content)],
  }
}

const toBuffer = (content: Buffer | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content

/** Percent-encodes what a Content-ID can't contain, as in the `cid:` URL of the HTML. */
function wireContentId(contentId: string): string {
  refuseLineBreaks(contentId, 'a Content-ID')
  const bare = contentId.replace(/^<|>$/g, '')
  const id = /^[!-;=?-~]*$/.test(bare) ? bare : percentEncode(bare, /[!-$&-;=?-~]/).join('')
  if (id.length > CONTENT_ID_MAX) throw new Error('A Content-ID is too long.')
  return id
}

/** One entry per character: itself if it is allowed, otherwise its bytes as %XX. */
function percentEncode(text: string, bare: RegExp): string[] {
  return Array.from(text, (character) => {
    if (bare.test(character)) return character
    return Buffer.from(character, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&')
  })
}

const NAME_LINE_MAX = 500
const SECTION_MAX = 54

function dispositionHeader(disposition: 'attachment' | 'inline', filename: string): string {
  refuseLineBreaks(filename, 'A file name')
  const start = `Content-Disposition: ${disposition === 'inline' ? 'inline' : 'attachment'};`
  if (isPrintableAscii(filename) && filename.length <= NAME_LINE_MAX) {
    const parameter = `filename="${filename.replace(/["\\]/g, '\\$&')}"`
    const separator = start.length + parameter.length < 76 ? ' ' : '\r\n '
    return `${start}${separator}${parameter}\r\n`
  }
  const parameters = [`filename="${asciiName(filename)}"`, ...extendedName(filename)]
  return `${start}\r\n ${parameters.join(';\r\n ')}\r\n`
}

/** `filename*=utf-8''…`, or numbered sections if it doesn't fit on one line. */
function extendedName(filename: string): string[] {
  const sections = ["utf-8''"]
  for (const character of percentEncode(filename, /[A-Za-z0-9!#$&+.^_`|~-]/)) {
    const last = sections.length - 1
    if (sections[last]!.length + character.length <= SECTION_MAX) sections[last] += character
    else sections.push(character)
  }
  if (sections.length === 1) return [`filename*=${sections[0]}`]
  return sections.map((section, index) => `filename*${index}*=${section}`)
}

/** `résumé.pdf` → `resume.pdf`, `見積.pdf` → `__.pdf`: for clients without RFC 2231. */
function asciiName(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\]/gu, '_')
  if (ascii.length <= SECTION_MAX) return ascii
  const dot = ascii.lastIndexOf('.')
  const extension = dot >= ascii.length - 12 && dot > 0 ? ascii.slice(dot) : ''
  return ascii.slice(0, SECTION_MAX - extension.length) + extension
}
