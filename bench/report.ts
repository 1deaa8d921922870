/** Prints tables, and whether each target is met. */
import { cpus, loadavg } from 'node:os'
import type { Measurement } from './measure.ts'
import type { ProcessorTime } from './processor.ts'

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

/** The first and the last column are text; the numbers between them are aligned on the right. */
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

/** Prints how many cores each party used, or nothing if that isn't known. */
export function showCores(name: string, { cores }: Measurement): string {
  const shares = Object.entries(cores).map(([party, busy]) => `${party} ${busy.toFixed(2)}`)
  return shares.length === 0 ? '' : `  cores busy during ${name}: ${shares.join(', ')}`
}

/** The first columns of every table about units of work; empty where it isn't measured. */
export const PROCESSOR_COLUMNS = ['processor ms', 'signatures']

export const showUnit = (time: ProcessorTime | undefined): string[] =>
  time ? [time.totalMs.toFixed(2), ratio(time.totalMs, time.signatureMs)] : ['', '']

/** Where the processor time of a unit is spent, or nothing if that isn't known. */
export function showParts(unit: string, time: ProcessorTime | undefined): string {
  if (!time) return ''
  const parts = Object.entries(time.parts).map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
  return `  processor ms for ${unit}: ${parts.join(', ')}; for a signature: ${time.signatureMs.toFixed(2)}`
}

export function describeMachine(): string {
  const all = cpus()
  const load = loadavg()[0]!
  return `${all.length} cores (${all[0]?.model.trim()}), Node ${process.versions.node}, load average ${load.toFixed(1)}`
}
