/**
 * The `posthorn` commands that call the API of a running service, such as `posthorn emails list`. The commands of the
 * service itself, such as `posthorn backup`, are in server/main.ts.
 */
import { Posthorn, PosthornFailure } from '../sdk/index.ts'
import { COMMON_OPTIONS, type Command, type Input, type Option, readArguments } from './command.ts'
import { COMMANDS } from './commands.ts'
import { type Connection, findConnection } from './connection.ts'
import { CommandError, UsageError } from './errors.ts'
import { createOutput, paint } from './output.ts'

const FAILED = 1
const WRONG_USAGE = 2
const NOT_AUTHORIZED = 3
const NOT_FOUND = 4

const [noun = '', ...words] = process.argv.slice(2)
process.exitCode = await run(noun, words).catch(report)

async function run(noun: string, words: string[]): Promise<number> {
  const verbs = COMMANDS[noun]
  if (!verbs) throw new UsageError(`There is no command "${noun}".`)
  const verb = verbs[''] ? '' : (words[0] ?? '')
  const command = verbs[verb]
  if (!command) {
    if (words.length === 0 || words.includes('--help')) {
      process.stdout.write(`${helpOfNoun(noun, verbs)}\n`)
      return words.length === 0 ? WRONG_USAGE : 0
    }
    throw new UsageError(`"${noun} ${verb}" is not a command. Use one of: ${Object.keys(verbs).join(', ')}.`)
  }
  const { args, options, lists, has } = readArguments(command, verb === '' ? words : words.slice(1))
  if (has('help')) {
    process.stdout.write(`${helpOf(noun, verb, command)}\n`)
    return 0
  }
  const connection = (): Connection => findConnection(options)
  const input: Input = {
    args,
    options,
    lists,
    has,
    connection,
    posthorn: () => {
      const { url, key } = connection()
      return new Posthorn(key, { baseUrl: url })
    },
    output: createOutput(has('json')),
    commands: COMMANDS,
  }
  await command.run(input)
  return Number(process.exitCode ?? 0)
}

function report(error: unknown): number {
  const isJson = words.includes('--json')
  const complain = (text: string, code = 'COMMAND_FAILED') =>
    process.stderr.write(
      isJson ? `${JSON.stringify({ error: { code, message: text } })}\n` : `${paint('red', text, process.stderr)}\n`,
    )
  if (error instanceof UsageError) {
    complain(error.message, 'WRONG_USAGE')
    if (!isJson) process.stderr.write(`See posthorn ${noun} --help.\n`)
    return WRONG_USAGE
  }
  if (error instanceof CommandError) {
    complain(error.message)
    return error.exitCode
  }
  if (error instanceof PosthornFailure) {
    const { statusCode, errors, suggestion, code } = error.error
    if (isJson) process.stderr.write(`${JSON.stringify({ error: error.error })}\n`)
    else {
      complain(error.message)
      for (const { field, message } of errors ?? []) complain(`  ${field}: ${message}`)
      if (suggestion) process.stderr.write(`${suggestion}\n`)
    }
    if (statusCode === 401 || statusCode === 403) return NOT_AUTHORIZED
    return statusCode === 404 && code !== 'ROUTE_NOT_FOUND' ? NOT_FOUND : FAILED
  }
  complain(error instanceof Error ? error.message : String(error))
  return FAILED
}

function helpOfNoun(noun: string, verbs: Record<string, Command>): string {
  const lines = Object.entries(verbs).map(([verb, command]) => [usageOf(noun, verb, command), command.summary] as const)
  const width = Math.max(...lines.map(([usage]) => usage.length))
  return lines.map(([usage, summary]) => `${usage.padEnd(width)}  ${summary}`).join('\n')
}

function usageOf(noun: string, verb: string, { args = [], options = {} }: Command): string {
  const named = args.map((name) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : name))
  const required = Object.entries(options)
    .filter(([, { required }]) => required)
    .map(([name, { value }]) => `--${name} ${value}`)
  return ['posthorn', noun, verb, ...named, ...required].filter(Boolean).join(' ')
}

function helpOf(noun: string, verb: string, command: Command): string {
  const describe = (options: Record<string, Option>) => {
    const lines = Object.entries(options).map(
      ([name, { value, summary }]) => [`--${name}${value ? ` ${value}` : ''}`, summary] as const,
    )
    return lines.map(([name, summary]) => `  ${name.padEnd(24)} ${summary}`)
  }
  return [
    `Usage: ${usageOf(noun, verb, command)} [options]`,
    '',
    `${command.summary}.`,
    '',
    ...describe({ ...command.options, ...COMMON_OPTIONS }),
  ].join('\n')
}
