/** All rules of the checks on one email. Pure and without limits on time, so long emails are checked in a thread. */
import { allBlocks, type EmailDocument } from '../../../kernel/content/email-document.ts'
import { checkClients } from './client-rules.ts'
import { checkContrast } from './contrast-rules.ts'
import { checkDocument, checkSamples } from './document-rules.ts'
import {
  type CheckedContent,
  comparable,
  type Finding,
  type HtmlFinding,
  type LineFinding,
  SEVERITIES,
} from './finding.ts'
import { checkImages, checkLinks, type ImageSizes } from './link-rules.ts'
import { type AddressPlace, checkAddress, checkUnsubscribe } from './sender-rules.ts'
import { checkPhrases, checkPreheader, checkSubject, checkTextAndSize } from './text-rules.ts'

/** More of the same would not help the author, and each is searched for in what the author wrote. */
export const SAME_CODE_MAX = 20
/** Enough of a text to find its block. */
const NEEDLE_MAX = 200

export interface EmailToCheck extends CheckedContent {
  document: EmailDocument | null
  mjml: string | null
  imageSizes: ImageSizes
  /** Texts of the gallery that nobody means to send. */
  samples: string[]
  addressIn: AddressPlace
  /** What was found in the data of the recipients. */
  variables: (HtmlFinding | LineFinding)[]
}

export function checkEmail(email: EmailToCheck): Finding[] {
  const found = [
    ...checkSubject(email),
    ...checkPreheader(email),
    ...checkPhrases(email),
    ...checkTextAndSize(email),
    ...checkLinks(email),
    ...checkImages(email, email.imageSizes),
    ...checkUnsubscribe(email),
    ...checkAddress(email),
    ...checkSamples(email),
    ...checkDocument(email),
    ...checkClients(email),
    ...checkContrast(email),
    ...email.variables,
  ]
  const place = placer(email)
  const rank = ({ severity }: Finding) => SEVERITIES.indexOf(severity)
  return firstOfEachCode(found)
    .map((one) => ('at' in one ? place(one) : one))
    .sort((a, b) => rank(a) - rank(b))
}

function firstOfEachCode<T extends { code: string }>(found: T[]): T[] {
  const counts = new Map<string, number>()
  return found.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    return count <= SAME_CODE_MAX
  })
}

/** Finds the line or block of a finding. A line of compiled HTML would mean nothing to its author. */
function placer({ html, document, mjml }: EmailToCheck) {
  const blockOf = document ? blockFinder(document) : undefined
  const source = mjml ? comparable(mjml) : ''
  const lineOf = lineFinder(mjml ?? html)
  return ({ at, needle = '', ...finding }: HtmlFinding): Finding => {
    if (blockOf) {
      const blockId = blockOf(needle)
      return { ...finding, field: 'document', ...(blockId ? { blockId } : {}) }
    }
    if (!mjml) return { ...finding, field: 'body', line: lineOf(at) }
    const found = writtenForms(needle)
      .map((text) => source.indexOf(text))
      .find((position) => position !== -1)
    return { ...finding, field: 'mjml', ...(found === undefined ? {} : { line: lineOf(found) }) }
  }
}

/** How a text of the HTML may have been written. Liquid in it was masked, so only the longest part without it is known. */
function writtenForms(needle: string): string[] {
  const [part = ''] = needle.split(/\uE000+/).sort((a, b) => b.length - a.length)
  const text = comparable(part.slice(0, NEEDLE_MAX))
  return text === '' ? [] : [...new Set([text, text.replaceAll('&', '&amp;')])]
}

function blockFinder(document: EmailDocument) {
  const leaves = allBlocks(document.blocks)
    .filter((block) => !block.blocks && !block.columns)
    .map((block) => ({ id: block.id, text: comparable(writtenTexts(block)) }))
  return (needle: string): string | undefined => {
    const forms = writtenForms(needle)
    return leaves.find(({ text }) => forms.some((form) => text.includes(form)))?.id
  }
}

/** All strings of a block, and its running text, in which a phrase can have several formats. */
function writtenTexts(block: object): string {
  const strings: string[] = []
  let running = ''
  const visit = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && key !== 'id' && key !== 'type') {
      strings.push(value)
      if (key === 'text') running += value
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inside] of Object.entries(value)) visit(inside, name)
    }
  }
  visit(block)
  return [...strings, running].join('\n')
}

function lineFinder(html: string) {
  const starts = [0]
  for (let end = html.indexOf('\n'); end !== -1; end = html.indexOf('\n', end + 1)) starts.push(end + 1)
  return (at: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return low + 1
  }
}
