/**
 * Lines of CSV files. Text that a spreadsheet would run as a formula is prefixed with an apostrophe, which spreadsheets
 * treat as text and our import removes.
 */

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/

/**
 * A text that a spreadsheet would treat as a formula, in half or full width, with any number of apostrophes before it.
 */
const RUNNABLE = /(^|;[ "]*)(?='*[=+\-@\t\r＝＋－＠])/g

/** Also after semicolons, which separate cells in the spreadsheets of many countries. */
export const escapeFormula = (text: string): string => (NUMBER.test(text) ? text : text.replace(RUNNABLE, "$1'"))

export const csvLine = (cells: string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
