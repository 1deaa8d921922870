/**
 * Formats plain text: collapses space, delays line breaks until more text follows, and starts each line with its
 * quotation marks, indentation and list marker. Output is never read again, so the cost is linear.
 */

/** All white space except a single space: most are single, and replacing each takes twice the time. */
const SPACES = /[\t\n\f\r\u00a0][ \t\n\f\r\u00a0]*| [ \t\n\f\r\u00a0]+/g
/** Soft hyphen, combining grapheme joiner, zero-width space, byte order mark: filler in emails. */
const INVISIBLE = /\u00ad|\u034f|\u200b|\ufeff/g
const SPACE = 0x20

/** Deeper quotes and lists are not indented further, because nesting could make the text quadratic in size. */
const DEEPEST_INDENT = 8

const indents = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => '  '.repeat(depth))
const quotes = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => '> '.repeat(depth))

export type TextWriter = ReturnType<typeof createTextWriter>

export function createTextWriter() {
  let out = ''
  let started = false
  let breaks = 0
  let gap = ''
  let quoteDepth = 0
  let marker = ''
  /** One number per list: the items of an ordered list so far, -1 for a bulleted one. */
  const lists: number[] = []

  function linePrefix(): string {
    const depth = Math.min(lists.length, DEEPEST_INDENT)
    const quote = quotes[Math.min(quoteDepth, DEEPEST_INDENT)]!
    if (depth === 0) return quote
    const prefix = quote + (marker === '' ? indents[depth]! : indents[depth - 1]! + marker)
    marker = ''
    return prefix
  }

  function emit(text: string): void {
    if (!started) out += linePrefix()
    else if (breaks > 0) out += '\n'.repeat(breaks) + linePrefix()
    else out += gap
    started = true
    breaks = 0
    gap = ''
    out += text
  }

  return {
    /** Running text: any white space becomes one space. Returns what was written, without surrounding space. */
    text(run: string): string {
      const text = run.replace(INVISIBLE, '').replace(SPACES, ' ')
      const start = text.charCodeAt(0) === SPACE ? 1 : 0
      const end = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length
      if (start === 1 && gap === '') gap = ' '
      if (end <= start) return ''
      const words = text.slice(start, end)
      emit(words)
      if (end < text.length) gap = ' '
      return words
    },

    /** Text whose spaces and line breaks are preserved. */
    preformatted(run: string): void {
      const lines = run.split(/\r\n?|\n/)
      lines.forEach((line, index) => {
        if (index > 0) breaks++
        if (line !== '') emit(line)
      })
    },

    /** Appends to the last line, even if a line break is pending. */
    attach(text: string): void {
      out += ` ${text}`
    },

    /** 1: a new line, 2: an empty line between. */
    breakLine(count: 1 | 2): void {
      breaks = Math.max(Math.min(breaks, 2), count)
      gap = ''
    },

    /** `<br>`: one more line break, but at most one empty line. */
    addBreak(): void {
      breaks = Math.min(breaks + 1, 2)
      gap = ''
    },

    separateCell(): void {
      gap = '  '
    },

    openQuote(): void {
      quoteDepth++
    },

    closeQuote(): void {
      if (quoteDepth > 0) quoteDepth--
    },

    openList(ordered: boolean): void {
      lists.push(ordered ? 0 : -1)
    },

    closeList(): void {
      lists.pop()
      marker = ''
    },

    isInList: (): boolean => lists.length > 0,

    startItem(): void {
      const last = lists.length - 1
      if (last < 0) marker = ''
      else if (lists[last] === -1) marker = '- '
      else marker = `${++lists[last]!}. `
    },

    finish: (): string => out,
  }
}
