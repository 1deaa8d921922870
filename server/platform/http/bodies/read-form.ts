/**
 * Reads a form with repeated fields and files, as clients of other email services send it. The whole body is in memory
 * already, and its size is limited by the route.
 */
import { Refusal } from '../../../kernel/errors.ts'
import { storableText } from './read-body.ts'

export interface FormFile {
  filename: string
  contentType: string
  /** Base64. */
  content: string
}

/** The values of each field, in order. */
export type FormFields = Record<string, Array<string | FormFile>>

/** Reading takes time for each field and blocks other requests. A thousand recipients are below it. */
const FIELDS_MAX = 2_000

export async function parseForm(contentType = '', body: Buffer): Promise<FormFields> {
  const fields: FormFields = Object.create(null)
  if (body.length === 0) return fields
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)) throw notAForm(contentType)
  if (countOf(body, separatorOf(contentType), FIELDS_MAX) > FIELDS_MAX) throw tooManyFields()
  for (const [name, value] of await readForm(contentType, body)) {
    const key = storableText(name, 'field')
    fields[key] ??= []
    fields[key].push(typeof value === 'string' ? storableText(value, key) : await fileOf(value, key))
  }
  return fields
}

/** The last text of each field. A body that can't be read has no fields, like a body of another type. */
export async function parseTextFields(contentType = '', body: Buffer): Promise<Record<string, string>> {
  const fields = await parseForm(contentType, body).catch((error): FormFields => {
    if (error instanceof Refusal && error.kind === 'bad-request') return {}
    throw error
  })
  const last = Object.entries(fields).map(([name, values]) => [name, values.findLast(isText)] as const)
  return Object.fromEntries(last.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const isText = (value: string | FormFile): value is string => typeof value === 'string'

/** What is between two fields. */
const separatorOf = (contentType: string): string =>
  /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? (/^multipart/i.test(contentType) ? '--' : '&')

function countOf(body: Buffer, text: string, max: number): number {
  let count = 0
  for (let at = body.indexOf(text); at !== -1 && count <= max; at = body.indexOf(text, at + text.length)) count++
  return count
}

async function readForm(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw new Refusal('bad-request', 'INVALID_REQUEST_BODY', `The body is not valid ${contentType.split(';')[0]}.`)
  }
}

const fileOf = async (file: File, field: string): Promise<FormFile> => ({
  filename: storableText(file.name, field),
  contentType: file.type || 'application/octet-stream',
  content: Buffer.from(await file.arrayBuffer()).toString('base64'),
})

const notAForm = (contentType: string) =>
  new Refusal(
    'bad-request',
    'INVALID_REQUEST_BODY',
    `The body is ${contentType || 'of an unknown type'}, not a form.`,
    {
      suggestion: 'Send multipart/form-data or application/x-www-form-urlencoded.',
    },
  )

const tooManyFields = () =>
  new Refusal('too-large', 'PAYLOAD_TOO_LARGE', `The form has more than ${FIELDS_MAX} fields.`, {
    suggestion: 'Divide it into several requests.',
  })
