/** All rules of the checks on one email. Pure and without limits on time, so long emails are checked in a thread. */
import { allBlocks, type EmailDocument } from '../../kernel/email-document.ts'
import { checkClients } from './client-rules.ts'
import { checkContrast } from './contrast-rules.ts'
import { type CheckedContent, type Finding, type HtmlFinding, SEVERITIES } from './finding.ts'
import { checkImages, checkLinks, checkUnsubscribe, type ImageSizes } from './link-rules.ts'
import { checkPhrases, checkPreheader, checkSubject, checkTextAndSize } from './text-rules.ts'

/** More of the same would not help the author, and each is searched for in what the author wrote. */
export const SAME_CODE_MAX = 20
/** Enough of a text to find its block. */
const NEEDLE_MAX = 200

export interface EmailToCheck extends CheckedContent {
  document: EmailDocument | null
  mjml: string | null
  imageSizes: ImageSizes
  /** What was found in the data of the recipients. */
  variables: HtmlFinding[]
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
  const lineOf = lineFinder(html)
  return ({ at, needle, ...finding }: HtmlFinding): Finding => {
    if (blockOf) {
      const blockId = blockOf(needle ?? '')
      return { ...finding, field: 'document', ...(blockId ? { blockId } : {}) }
    }
    if (mjml) return { ...finding, field: 'mjml' }
    return { ...finding, field: 'body', line: lineOf(at) }
  }
}

function blockFinder(document: EmailDocument) {
  const leaves = allBlocks(document.blocks)
    .filter((block) => !block.blocks && !block.columns)
    .map((block) => ({ id: block.id, json: JSON.stringify(block).toLowerCase() }))
  return (needle: string): string | undefined => {
    const [part = ''] = needle.split(/\uE000+/).sort((a, b) => b.length - a.length)
    const text = JSON.stringify(part.slice(0, NEEDLE_MAX)).slice(1, -1).toLowerCase()
    return text === '' ? undefined : leaves.find(({ json }) => json.includes(text))?.id
  }
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
