/**
 * Escaping for HTML. In a body every output is escaped once: at its end, unless one of its filters is `raw`,
 * or not again where the writer has already asked for `escape`.
 */
import { Filter, type Liquid, Token, TokenKind } from 'liquidjs'
import { renderContext } from './liquid-context.ts'
import { Captured, text } from './liquid-values.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const SPECIAL = /[&<>"']/g
const SPECIAL_BUT_ENTITIES = /&(?!(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)|[<>"']/g

const toEntity = (character: string): string => ENTITIES[character]!

export const escapeHtml = (value: string): string => value.replace(SPECIAL, toEntity)
export const escapeHtmlOnce = (value: string): string => value.replace(SPECIAL_BUT_ENTITIES, toEntity)

/** The filters whose result is already safe to write into HTML. */
const ESCAPING = new Set(['escape', 'escape_once', 'xml_escape'])

type Handler = (this: { context: Parameters<typeof renderContext>[0] }, value: unknown) => unknown

const escapingWith = (toHtml: (value: string) => string): Handler =>
  function (value) {
    const { options } = renderContext(this.context)
    return options.escape && !(value instanceof Captured) ? toHtml(text(value)) : value
  }

export const autoEscape = escapingWith(escapeHtml)
const autoEscapeOnce = escapingWith(escapeHtmlOnce)

class ImplicitFilter extends Token {
  readonly name = ''
  readonly args: never[] = []

  constructor() {
    super(TokenKind.Filter, '', 0, 0)
  }
}

/**
 * Puts the escaping among the filters of an output. After an `escape` in the middle, whatever came in since is escaped
 * and the entities stay; before a closing `newline_to_br`, because that one makes markup.
 */
export function placeEscape(filters: Filter[], engine: Liquid): void {
  const names = filters.map((filter) => filter.name)
  const last = names.at(-1) ?? ''
  if (names.includes('raw') || ESCAPING.has(last)) return
  const handler = names.some((name) => ESCAPING.has(name)) ? autoEscapeOnce : autoEscape
  const position = last === 'newline_to_br' ? filters.length - 1 : filters.length
  filters.splice(position, 0, new Filter(new ImplicitFilter(), handler, engine))
}
