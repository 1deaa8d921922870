/**
 * What the checks of an email find, in the language of the dashboard. The service writes it in English; the other languages
 * have a text for each code, to which the link, phrase or field is added that it is about.
 */
import type { Schemas } from '../data/api.ts'
import { translated } from '../languages/language.ts'
import { sharedTexts } from '../shell/texts.ts'

type Finding = Schemas['Checks']['findings'][number]

export type FindingTexts = Record<string, { problem: string; fix: string }>

export const findingTexts: FindingTexts = translated('finding', {})

/** The part of a sentence of the service that is the same in every language. */
const ABOUT = [
  /^"(.+)" is /,
  /^The (?:link|image) (\S+) /,
  /^(\S+) is not a valid URL/,
  /^No mail client supports (.+) \(/,
  /^(?!An )(.+) is not supported by/,
  /^(?:Less than )?(\d+%) .* no (\S+)\.$/,
  /^No contact has (\S+)\.$/,
  /^The text color (\S+) on (\S+) has/,
]

export function inWords({ code, message, fix }: Pick<Finding, 'code' | 'message' | 'fix'>, texts = findingTexts) {
  const known = texts[code]
  if (!known) return { message, fix }
  const { problem } = known
  if (problem.endsWith('.')) return { message: problem, fix: known.fix }
  const about = ABOUT.map((pattern) => pattern.exec(message)).find((found) => found !== null)
  return { message: about ? sharedTexts.labeled(problem, about.slice(1).join(', ')) : `${problem}.`, fix: known.fix }
}
