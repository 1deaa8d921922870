import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPrivateFolder } from './private-folder.ts'

let root: string
let lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const modeOf = async (folder: string) => (await stat(folder)).mode & 0o7777

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'posthorn-private-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('DATA_DIR', () => {
  it('is created for its owner only', async () => {
    lines = []
    const folder = path.join(root, 'above', 'new')
    await openPrivateFolder(folder, log)
    expect(await modeOf(folder)).toBe(0o700)
    expect(lines).toEqual([])
  })

  it.each([0o755, 0o750, 0o701])('is restricted to its owner if its mode was %o, which is logged', async (mode) => {
    lines = []
    const folder = path.join(root, mode.toString(8))
    await mkdir(folder)
    await chmod(folder, mode)
    await openPrivateFolder(folder, log)
    expect(await modeOf(folder)).toBe(0o700)
    expect(JSON.parse(lines[0]!)).toMatchObject({ folder, before: `0${mode.toString(8)}`, after: '0700' })
    await openPrivateFolder(folder, log)
    expect(lines).toHaveLength(1)
  })

  it('is left as it is if everyone uses the folder, with a warning', async () => {
    lines = []
    const folder = path.join(root, 'shared')
    await mkdir(folder)
    await chmod(folder, 0o1777)
    await openPrivateFolder(folder, log)
    expect(await modeOf(folder)).toBe(0o1777)
    expect(lines.join()).toMatch(/set it to a folder that only Posthorn uses/)
  })
})
