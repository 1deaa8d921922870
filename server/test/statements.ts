/**
 * The SQL of every named statement in server/statements, for review. The tests collect the statements that the service
 * prepares (record-statements.ts); these functions find their names in the sources, and read, write and compare the
 * files.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const SERVER = path.resolve(import.meta.dirname, '..')
const STATEMENTS_FOLDER = path.join(SERVER, 'statements')

/** SQL by the name of the statement. */
export type Statements = Map<string, string>

const NAME = /\/\* ([a-z-]+) \*\//g
/** `named` of delivery/queries.ts gives a statement two texts and two names. */
const TWO_NAMES = /\$\{named\('([a-z-]+)',/g

/** A name that is completed when the statement is built: `list-contacts`, `list-contacts-before`. */
const COMPUTED = /\/\* ([a-z-]+)\$\{/g

/** Every name in the sources, with its file in server/statements: one per feature, one for the gate, one for the platform. */
export function namesInSources(): { names: Map<string, string>; prefixes: Map<string, string> } {
  const names = new Map<string, string>()
  const prefixes = new Map<string, string>()
  for (const source of readdirSync(SERVER, { recursive: true, encoding: 'utf8' })) {
    const [folder, , feature] = source.split(path.sep)
    if (!/^(features|gate|platform)$/.test(folder!) || !/(?<!\.test)\.ts$/.test(source)) continue
    const text = readFileSync(path.join(SERVER, source), 'utf8')
    const found = [
      ...[...text.matchAll(NAME)].map((match) => match[1]!),
      ...[...text.matchAll(TWO_NAMES)].flatMap((match) => [match[1]!, `${match[1]}-of-many`]),
    ]
    const file = folder === 'features' ? `${feature}.sql` : `${folder}.sql`
    for (const name of found) names.set(name, file)
    for (const match of text.matchAll(COMPUTED)) prefixes.set(match[1]!, file)
  }
  return { names, prefixes }
}

/** The text without its name and without the indentation that all its lines share. */
export function layOut(text: string): string {
  const lines = text
    .replace(/^\s*\/\* [a-z-]+ \*\/[ \t]*\n?/, '')
    .split('\n')
    .map((line) => line.trimEnd())
  const filled = lines.filter((line) => line !== '')
  const indents = filled.map((line) => line.length - line.trimStart().length)
  // Where the SQL begins right after the name, the first line has no indentation of its own.
  const shared = Math.min(...(indents[0] === 0 ? indents.slice(1) : indents), 80)
  return filled
    .map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length)))
    .join('\n')
    .trim()
}

export function readStatements(folder = STATEMENTS_FOLDER): Statements {
  const statements: Statements = new Map()
  for (const file of readdirSync(folder)) {
    const sections = readFileSync(path.join(folder, file), 'utf8').split(/^\/\* ([a-z-]+) \*\/\n/m)
    for (let i = 1; i < sections.length; i += 2) statements.set(sections[i]!, sections[i + 1]!.trim().replace(/;$/, ''))
  }
  return statements
}

const HEADER =
  '-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.\n'

/** Replaces the statements that ran and removes those that are no longer in the sources. */
export function writeStatements(ran: Statements, folder = STATEMENTS_FOLDER): void {
  mkdirSync(folder, { recursive: true })
  const statements = new Map([...readStatements(folder), ...ran])
  const { names, prefixes } = namesInSources()
  const fileOf = (name: string) => names.get(name) ?? [...prefixes].find(([prefix]) => name.startsWith(prefix))?.[1]
  const files = new Map<string, string[]>()
  for (const [name, text] of [...statements].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const file = fileOf(name)
    if (file) files.set(file, [...(files.get(file) ?? []), `/* ${name} */\n${text};\n`])
  }
  for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(path.join(folder, file))
  for (const [file, texts] of files) writeFileSync(path.join(folder, file), [HEADER, ...texts].join('\n'))
}

const PROJECT_PARAMETERS = /\bproject_id"? = \$(\d+)|\(project_id\b[^()]*\)\s*(?:values \(|select )\$(\d+)/g

/** By the text: most statements run many times. */
const projectParameters = new Map<string, number[]>()

/**
 * Whether all parameters that are compared with a project_id, or inserted as one, have the same value. A statement has a
 * parameter for each use of the project.
 */
export function isOfOneProject(text: string, values: unknown[]): boolean {
  const positions =
    projectParameters.get(text) ??
    [...text.matchAll(PROJECT_PARAMETERS)].map(([, one, other]) => Number(one ?? other) - 1)
  projectParameters.set(text, positions)
  return new Set(positions.map((position) => values[position])).size <= 1
}

/** Differences between the committed SQL and the statements that ran. */
export function staleStatements(ran: Statements, committed: Statements): string[] {
  return [...ran]
    .filter(([name, text]) => committed.get(name) !== text)
    .map(([name]) => `${name} ${committed.has(name) ? 'has changed' : 'has no SQL in server/statements'}`)
}
