/** What a command is, and how its arguments are read. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Posthorn } from '../sdk/index.ts'
import type { Connection } from './connection.ts'
import { UsageError } from './errors.ts'
import type { Output } from './output.ts'

export interface Option {
  /** The name of its value in the help; without one, the option is a switch. */
  value?: string
  summary: string
  required?: boolean
  /** Can be given more than once. */
  multiple?: boolean
}

export interface Input {
  args: string[]
  options: Record<string, string | undefined>
  lists: Record<string, string[]>
  has: (option: string) => boolean
  /** Connects with the key of the profile or the environment. */
  posthorn: () => Posthorn
  connection: () => Connection
  /** All of them, for those that list them. */
  commands: Commands
  output: Output
}

export interface Command {
  summary: string
  /** Positional arguments in order; a name that ends with `?` is optional. */
  args?: string[]
  options?: Record<string, Option>
  run: (input: Input) => Promise<void>
}

/** By noun and verb. A command without a verb has the name ''. */
export type Commands = Record<string, Record<string, Command>>

export const COMMON_OPTIONS: Record<string, Option> = {
  json: { summary: 'Print JSON' },
  profile: { value: 'NAME', summary: 'Use the URL and the key of this profile (see posthorn login)' },
  url: { value: 'URL', summary: 'The URL of the service; otherwise POSTHORN_URL or the profile' },
  key: { value: 'KEY', summary: 'The API key; otherwise POSTHORN_API_KEY or the profile' },
  help: { summary: 'Show this help' },
}

export function readArguments(command: Command, words: string[]): Pick<Input, 'args' | 'options' | 'lists' | 'has'> {
  const options = { ...COMMON_OPTIONS, ...command.options }
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value ? 'string' : 'boolean', multiple } as const,
    ]),
  )
  const { values, positionals } = parse({ args: words, options: config, allowPositionals: true, strict: true })
  const given = (name: string) => values[name] as string | boolean | string[] | undefined
  const isHelp = given('help') === true
  if (!isHelp) {
    const missing = Object.entries(options).find(([name, { required }]) => required && given(name) === undefined)
    if (missing) throw new UsageError(`--${missing[0]} is missing.`)
    checkCount(command.args ?? [], positionals)
  }
  return {
    args: positionals,
    options: Object.fromEntries(
      Object.keys(options).map((name) => [name, typeof given(name) === 'string' ? String(given(name)) : undefined]),
    ),
    lists: Object.fromEntries(
      Object.keys(options).map((name) => [name, Array.isArray(given(name)) ? (given(name) as string[]) : []]),
    ),
    has: (name) => given(name) !== undefined && given(name) !== false,
  }
}

function parse(config: ParseArgsConfig) {
  try {
    return parseArgs(config)
  } catch (error) {
    // Node's sentence about values that begin with a dash is several lines long.
    throw new UsageError(String((error as Error).message).split('\n')[0])
  }
}

function checkCount(names: string[], given: string[]): void {
  const required = names.filter((name) => !name.endsWith('?'))
  if (given.length < required.length) throw new UsageError(`${required[given.length]} is missing.`)
  if (given.length > names.length) throw new UsageError(`"${given[names.length]}" is one argument too many.`)
}

/** The value of an option that must be one of these. */
export function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  if (!allowed.includes(value as T)) throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`)
  return value as T
}

export function numberOf(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (!Number.isFinite(number) || value.trim() === '') throw new UsageError(`--${name} must be a number.`)
  return number
}

export function jsonOf(name: string, value: string | undefined): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // reported below
  }
  throw new UsageError(`--${name} must be a JSON object, such as '{"name": "Ada"}'.`)
}
