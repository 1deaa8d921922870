/**
 * Keeps the templates or workflows of a project as files. The file `.posthorn.json` beside them has, for each file, what it
 * looked like when it was last pulled or pushed, so that a change in the dashboard and one in the file are told apart: neither
 * overwrites the other unless asked to.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { diffLines } from '../../dashboard/pages/versions/line-diff.ts'
import { CommandError, UsageError } from '../errors.ts'
import type { Output } from '../output.ts'
import { paint } from '../output.ts'

export interface Remote {
  id: string
  name: string
  /** Which of two is newer. */
  version: number
  extension: string
  content: string
}

export interface Kind {
  /** The folder, and the word for one of them. */
  folder: string
  noun: string
  extensions: string[]
  list: () => Promise<Remote[]>
  /** Refuses a file that isn't one of these. */
  create: (content: string, file: string) => Promise<Remote>
  update: (remote: Remote, content: string, file: string) => Promise<Remote>
  /** Whether everything after this version was pushed from files, and not changed by a person. */
  onlyPushedSince?: (remote: Remote, version: number) => Promise<boolean>
}

interface Known {
  id: string
  version: number
  hash: string
}

export interface SyncOptions {
  folder: string
  force: boolean
  dryRun: boolean
  output: Output
}

interface Change {
  file: string
  change: 'created' | 'updated' | 'conflict'
}

const STATE = '.posthorn.json'

/** Line endings of an editor don't count as a change. */
const hashOf = (content: string) =>
  createHash('sha256').update(content.replaceAll('\r\n', '\n').trimEnd()).digest('hex')

export async function pull(kind: Kind, { folder, force, dryRun, output }: SyncOptions): Promise<void> {
  const state = readState(folder)
  const changes: Change[] = []
  const used = new Set(Object.keys(state))
  for (const remote of await kind.list()) {
    const file = fileOf(state, remote) ?? freeName(used, remote, folder)
    used.add(file)
    const local = readLocal(folder, file)
    const known = state[file]
    const isSame = local !== undefined && hashOf(local) === hashOf(remote.content)
    if (!isSame) {
      const localChanged = local !== undefined && hashOf(local) !== known?.hash
      if (localChanged && known && known.hash === hashOf(remote.content)) continue // only the file has changed
      if (localChanged && !force) {
        changes.push({ file, change: 'conflict' })
        continue
      }
      changes.push({ file, change: local === undefined ? 'created' : 'updated' })
    }
    if (dryRun) continue
    if (!isSame) writeLocal(folder, file, remote.content)
    state[file] = { id: remote.id, version: remote.version, hash: hashOf(remote.content) }
  }
  if (!dryRun) writeState(folder, state)
  report(kind, 'pull', changes, { folder, dryRun, output })
}

export async function push(kind: Kind, { folder, force, dryRun, output }: SyncOptions): Promise<void> {
  const state = readState(folder)
  const remotes = await kind.list()
  const changes: Change[] = []
  for (const file of localFiles(kind, folder)) {
    const content = readLocal(folder, file)!
    const known = state[file]
    const remote =
      remotes.find(({ id }) => id === known?.id) ?? (known ? undefined : remoteNamed(kind, remotes, content, file))
    if (remote && hashOf(remote.content) === hashOf(content)) {
      state[file] = { id: remote.id, version: remote.version, hash: hashOf(content) }
      continue
    }
    if (remote && !force && !(await isUnchanged(kind, remote, known))) {
      // A file that is as it was pulled has nothing to push.
      if (known && hashOf(content) === known.hash) continue
      changes.push({ file, change: 'conflict' })
      continue
    }
    changes.push({ file, change: remote ? 'updated' : 'created' })
    if (dryRun) continue
    const pushed = remote ? await kind.update(remote, content, file) : await kind.create(content, file)
    state[file] = { id: pushed.id, version: pushed.version, hash: hashOf(content) }
    writeState(folder, state) // after each, so that an interrupted push continues
  }
  if (!dryRun) writeState(folder, state)
  report(kind, 'push', changes, { folder, dryRun, output })
}

/** Prints what a push would change. */
export async function diff(kind: Kind, { folder, output }: Pick<SyncOptions, 'folder' | 'output'>): Promise<void> {
  const state = readState(folder)
  const remotes = await kind.list()
  const found: { file: string; diff: string }[] = []
  for (const file of localFiles(kind, folder)) {
    const content = readLocal(folder, file)!
    const known = state[file]
    const remote = remotes.find(({ id }) => id === known?.id) ?? remoteNamed(kind, remotes, content, file)
    if (remote && hashOf(remote.content) === hashOf(content)) continue
    found.push({ file, diff: diffOf(remote?.content ?? '', content) })
  }
  if (output.json) return output.item(found)
  if (found.length === 0) return output.say(`The ${kind.folder} are the same.`)
  for (const { file, diff } of found) {
    output.say(paint('bold', file))
    const colored = diff
      .split('\n')
      .map((line) => (line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line))
    output.say(colored.join('\n'))
  }
}

const MARKS = { same: ' ', added: '+', removed: '-' }
/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3

function diffOf(before: string, after: string): string {
  const lines = diffLines(before.split(/\r?\n/), after.split(/\r?\n/))
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same')
  return lines
    .filter((_, at) => isNear(at))
    .map(({ kind, text }) => `${MARKS[kind]} ${text}`)
    .join('\n')
}

async function isUnchanged(kind: Kind, remote: Remote, known: Known | undefined): Promise<boolean> {
  if (!known) return false
  if (hashOf(remote.content) === known.hash) return true
  return (await kind.onlyPushedSince?.(remote, known.version)) ?? false
}

/** A file that was never pulled or pushed belongs to the one with the same name. */
function remoteNamed(kind: Kind, remotes: Remote[], content: string, file: string): Remote | undefined {
  const extension = path.extname(file)
  const name = nameIn(content) ?? ''
  return kind.extensions.includes(extension) ? remotes.find((remote) => remote.name === name) : undefined
}

/** The name in the front matter or in the JSON of a file. */
function nameIn(content: string): string | undefined {
  const quoted = /^\s*"?name"?:\s*(.+?),?\s*$/m.exec(content)?.[1]
  if (quoted === undefined) return undefined
  try {
    return quoted.startsWith('"')
      ? (JSON.parse(quoted) as string)
      : quoted.replace(/^'(.*)'$/, (_, text: string) => text.replaceAll("''", "'"))
  } catch {
    return undefined
  }
}

const fileOf = (state: Record<string, Known>, remote: Remote) =>
  Object.keys(state).find((file) => state[file]!.id === remote.id && path.extname(file) === remote.extension)

function freeName(used: Set<string>, { name, extension }: Remote, folder: string): string {
  const slug =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'unnamed'
  for (let n = 1; ; n++) {
    const file = `${slug}${n === 1 ? '' : `-${n}`}${extension}`
    const isOther = used.has(file) || (existsSync(path.join(folder, file)) && nameIn(readLocal(folder, file)!) !== name)
    if (!isOther) return file
  }
}

function localFiles(kind: Kind, folder: string): string[] {
  if (!existsSync(folder))
    throw new UsageError(`There is no folder ${folder}. Create it with: posthorn ${kind.folder} pull`)
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.') && kind.extensions.includes(path.extname(entry.name)),
    )
    .map(({ name }) => name)
    .sort()
}

const readLocal = (folder: string, file: string): string | undefined => {
  const location = path.join(folder, file)
  return existsSync(location) ? readFileSync(location, 'utf8') : undefined
}

function writeLocal(folder: string, file: string, content: string): void {
  mkdirSync(folder, { recursive: true })
  const draft = path.join(folder, `.${file}.${process.pid}`)
  writeFileSync(draft, content)
  renameSync(draft, path.join(folder, file))
}

function readState(folder: string): Record<string, Known> {
  const text = readLocal(folder, STATE)
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as Record<string, Known>
  } catch {
    throw new CommandError(`${path.join(folder, STATE)} is not JSON. Restore it from git, or delete it and pull again.`)
  }
}

const writeState = (folder: string, state: Record<string, Known>) =>
  writeLocal(
    folder,
    STATE,
    `${JSON.stringify(Object.fromEntries(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
  )

function report(
  kind: Kind,
  verb: 'pull' | 'push',
  changes: Change[],
  { folder, dryRun, output }: Pick<SyncOptions, 'folder' | 'dryRun' | 'output'>,
): void {
  const conflicts = changes.filter(({ change }) => change === 'conflict')
  if (output.json) output.item({ changes, dryRun })
  else {
    if (changes.length === 0) output.say(`The ${kind.folder} in ${folder} are up to date.`)
    for (const { file, change } of changes)
      output.say(`${dryRun && change !== 'conflict' ? 'would be ' : ''}${change}  ${file}`)
  }
  if (conflicts.length === 0) return
  throw new CommandError(
    `${conflicts.length} ${conflicts.length === 1 ? 'file was' : 'files were'} changed here and in the project, and left as ${conflicts.length === 1 ? 'it is' : 'they are'}. Compare with posthorn ${kind.folder} diff, or use --force to ${verb === 'pull' ? 'replace the files' : `replace the ${kind.folder} of the project`}.`,
  )
}
