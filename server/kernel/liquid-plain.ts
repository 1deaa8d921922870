/**
 * Whether a template is plain: everything it does takes time in proportion to its text and data, in small steps.
 * Nearly every mail is. The others may be as harmless, but that cannot be seen by looking at them, so they are
 * rendered in a thread that can be stopped.
 */
import type { Traits } from './liquid-tokenizer.ts'

const words = (...lines: string[]): Set<string> => new Set(lines.flatMap((line) => line.split(' ')))

const PLAIN_TAGS = words(
  '# assign break capture case comment continue cycle decrement echo for if increment liquid raw unless',
)

const PLAIN_FILTERS = words(
  'abs at_least at_most ceil divided_by floor minus modulo plus round times to_integer',
  'append capitalize downcase lstrip newline_to_br normalize_whitespace prepend rstrip squish strip strip_newlines',
  'truncate truncatewords upcase escape escape_once xml_escape raw url_encode url_decode cgi_escape uri_escape',
  'date date_to_long_string date_to_rfc822 date_to_string date_to_xmlschema',
  'default first join json last size',
)

const LENGTH_MAX = 200_000
const LOOP_DEPTH_MAX = 2

const allIn = (used: Set<string>, plain: Set<string>): boolean => [...used].every((name) => plain.has(name))

export const isPlain = (traits: Traits, length: number): boolean =>
  length <= LENGTH_MAX &&
  !traits.ranges &&
  traits.loopDepth <= LOOP_DEPTH_MAX &&
  allIn(traits.tags, PLAIN_TAGS) &&
  allIn(traits.filters, PLAIN_FILTERS)
