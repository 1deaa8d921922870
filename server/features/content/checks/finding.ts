/** What a check reports, and the part of the content that a rule reads. */
import type { ContentType } from '../../../kernel/content/mail-content.ts'

export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

export const FIELDS = ['subject', 'preheader', 'body', 'document', 'mjml'] as const
export type ContentField = (typeof FIELDS)[number]

export interface Finding {
  code: string
  severity: Severity
  message: string
  fix: string
  field: ContentField
  /** The line of the HTML or MJML. */
  line?: number | undefined
  /** The block of the document. */
  blockId?: string | undefined
  /** The name of the variant whose own content it is about. */
  variant?: string | undefined
}

/** A finding in the HTML, before its place in what the author wrote is known. */
export interface HtmlFinding extends Pick<Finding, 'code' | 'severity' | 'message' | 'fix'> {
  /** The position in the HTML. */
  at: number
  /** A text of the block, such as a URL, by which the block is found. */
  needle?: string | undefined
}

/** A finding in a field that has only one line. */
export type LineFinding = Omit<Finding, 'line' | 'blockId' | 'variant'>

export interface CheckedContent {
  subject: string
  preheader: string
  html: string
  /** The text part. */
  text: string
  type: ContentType
}

/** Stands for each character of Liquid, so that positions stay and quotes inside Liquid don't end attributes. */
const FILLER = '\uE000'
const CLOSING = { '{{': '}}', '{%': '%}' } as const

/** In linear time, even if the text has many delimiters that are never closed. */
function replaceLiquid(source: string, replace: (liquid: string) => string): string {
  const opening = /\{[{%]/g
  let result = ''
  let end = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const close = source.indexOf(CLOSING[found[0] as keyof typeof CLOSING], found.index + 2)
    if (close === -1) break
    result += source.slice(end, found.index) + replace(source.slice(found.index, close + 2))
    end = close + 2
    opening.lastIndex = end
  }
  return result + source.slice(end)
}

export const maskLiquid = (source: string): string =>
  replaceLiquid(source, (liquid) => liquid.replace(/[^\n]/g, FILLER))

export const withoutLiquid = (source: string): string => replaceLiquid(source, () => '')

/** For searching: without case, and with one kind of apostrophe. Positions stay. */
export const comparable = (text: string): string => text.toLowerCase().replaceAll("'", '’')

/** The URL with some value in place of Liquid; undefined if Liquid provides its beginning. */
export const sampleUrl = (masked: string): string | undefined =>
  masked.startsWith(FILLER) ? undefined : masked.replaceAll(FILLER, 'x')
