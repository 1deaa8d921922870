/** Finds every text of the dashboard, for tests: the English ones where they are used, and those of a language. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const DASHBOARD = path.join(import.meta.dirname, '..')

export type Text = string | ((...values: never[]) => unknown)

interface TextFile {
  file: string
  /** The names of the texts, and the exports that have them. */
  exports: { name: string; variable: string }[]
  /** How many texts the file passes to `translated`. */
  calls: number
}

export const textFiles = (): TextFile[] =>
  readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(languages|dist|node_modules)\b|\.test\.ts/.test(file))
    .map((file) => {
      const code = readFileSync(path.join(DASHBOARD, file), 'utf8')
      const exports = [...code.matchAll(/^export const (\w+)(?:: .+)? = translated\(\s*'(\w+)'/gm)]
      return {
        file,
        exports: exports.map(([, variable, name]) => ({ name: name!, variable: variable! })),
        calls: [...code.matchAll(/\btranslated\(/g)].length,
      }
    })
    .filter(({ calls }) => calls > 0)

/** The English texts by name. */
export async function readEnglish(): Promise<Record<string, unknown>> {
  const english: Record<string, unknown> = {}
  for (const { file, exports } of textFiles()) {
    const module = await import(path.join(DASHBOARD, file))
    for (const { name, variable } of exports) english[name] = module[variable]
  }
  return english
}

/** The texts of a language by name. */
export const readTranslation = (language: string): Promise<Record<string, unknown>> =>
  import(path.join(import.meta.dirname, language, 'all.ts'))

/** Every text by its path, such as `campaigns.column.name`. */
export function allTexts(texts: Record<string, unknown>): Map<string, Text> {
  return new Map(Object.entries(texts).flatMap(([name, value]) => textsOf(value, name)))
}

function textsOf(value: unknown, at: string): [string, Text][] {
  if (typeof value === 'string') return [[at, value]]
  if (typeof value === 'function') return [[at, value as Text]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, `${at}.${key}`))
}
