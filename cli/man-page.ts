/** The manual page posthorn(1), written from the list of commands. `npm run generate` stores it as docs/posthorn.1. */
import { COMMON_OPTIONS, type Command, type Commands, type Option } from './command.ts'

/** Escapes a text for roff: a backslash starts an escape, a hyphen would become a dash, and a line can't begin with a dot. */
const text = (line: string) => line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&')

const optionLines = (options: Record<string, Option>): string[] =>
  Object.entries(options).flatMap(([name, { value, summary }]) => [
    '.TP',
    `.B \\-\\-${text(name)}${value ? ` \\fI${text(value)}\\fR` : ''}`,
    text(`${summary}.`),
  ])

function commandLines(noun: string, verb: string, { summary, args = [], options = {} }: Command): string[] {
  const words = args.map((name) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : name))
  const usage = ['posthorn', noun, verb, ...words].filter(Boolean).join(' ')
  return ['.SS', text(usage), text(`${summary}.`), ...optionLines(options)]
}

const EXIT_CODES = ['Done.', 'Failed.', 'Wrong usage.', 'Not authorized.', 'Not found.']

export const manPage = (commands: Commands): string =>
  [
    '.TH POSTHORN 1',
    '.SH NAME',
    'posthorn \\- run Posthorn, and work with a running service',
    '.SH SYNOPSIS',
    '.B posthorn',
    '.br',
    '.B posthorn',
    '\\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Without a command, the service is started.',
    text('posthorn --help lists its settings and the commands of an installation, such as backup and restore.'),
    'The commands below call the API of a running service.',
    '.SH COMMANDS',
    ...Object.entries(commands).flatMap(([noun, verbs]) =>
      Object.entries(verbs).flatMap(([verb, command]) => commandLines(noun, verb, command)),
    ),
    '.SH OPTIONS OF ALL COMMANDS',
    ...optionLines(COMMON_OPTIONS),
    '.SH ENVIRONMENT',
    ...['.TP', '.B POSTHORN_URL', 'The URL of the service.'],
    ...['.TP', '.B POSTHORN_API_KEY', 'The API key.'],
    ...['.TP', '.B NO_COLOR', 'If set, no colors are used.'],
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap((meaning, code) => ['.TP', `.B ${code}`, meaning]),
    '.SH FILES',
    ...['.TP', '.I ~/.config/posthorn/profiles.json', text('The profiles of posthorn login. Only you can read it.')],
    '',
  ].join('\n')
