/** The table in docs/scale.md is the output of `npm run capacity`. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const run = async (...flags: string[]) =>
  (await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/capacity.ts', ...flags], { cwd: ROOT }))
    .stdout

const cellsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the capacity model', () => {
  it('prints the table of docs/scale.md', async () => {
    const table = await run()
    expect(cellsOf(table)).toHaveLength(4)
    expect(await readFile(path.join(ROOT, 'docs/scale.md'), 'utf8')).toContain(table)
  })

  it('uses the values of flags', async () => {
    const peaks = (table: string) => cellsOf(table).map((cells) => Number(cells[2]!.replace(',', '')))
    const doubled = peaks(await run('--peakFactor=20'))
    peaks(await run()).forEach((peak, i) => {
      expect(doubled[i]! / peak).toBeCloseTo(2, 0)
    })
    const disks = (table: string) => cellsOf(table).map((cells) => cells[7])
    expect(disks(await run('--bytes.email=9000'))).not.toEqual(disks(await run()))
  })

  it('refuses a flag that does not exist', async () => {
    await expect(run('--bytes.letter=3')).rejects.toThrow('Invalid option --bytes.letter=3')
    await expect(run('--peakFactor=many')).rejects.toThrow('Invalid option --peakFactor=many')
  })
})
