/** Plain tables, and whether each bar is met. */
import { cpus, loadavg } from 'node:os'
import type { Measurement } from './measure.ts'

export interface Bar {
  says: string
  met: boolean
}

export const atLeast = (value: number, bar: number, what: string): Bar => ({
  says: `${what} ≥ ${bar}`,
  met: value >= bar,
})

export const under = (value: number, bar: number, what: string): Bar => ({
  says: `${what} < ${bar}`,
  met: value < bar,
})

export const showBars = (bars: Bar[]): string =>
  bars.map(({ says, met }) => `${says} ${met ? 'met' : 'MISSED'}`).join(', ')

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const tenths = (value: number): string => value.toFixed(1)
export const ratio = (value: number, of: number): string => (value / of).toFixed(2)

/** The first column is text, the last one too; numbers between them line up on the right. */
export function printTable(title: string, header: string[], rows: string[][]): void {
  const lines = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const isText = (column: number) => column === 0 || column === header.length - 1
  const format = (line: string[]) =>
    line
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('   ')
      .trimEnd()
  const ruler = '-'.repeat(widths.reduce((sum, width) => sum + width + 3, -3))
  console.log(`\n${title}\n${format(header)}\n${ruler}\n${rows.map(format).join('\n')}`)
}

/** Who had how much of the machine, or nothing where that is not known. */
export function showCores(name: string, { cores }: Measurement): string {
  const shares = Object.entries(cores).map(([party, busy]) => `${party} ${busy.toFixed(2)}`)
  return shares.length === 0 ? '' : `  cores busy during ${name}: ${shares.join(', ')}`
}

export function describeMachine(): string {
  const all = cpus()
  const load = loadavg()[0]!
  return `${all.length} cores (${all[0]?.model.trim()}), Node ${process.versions.node}, load average ${load.toFixed(1)}`
}
