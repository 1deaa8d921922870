/** Structured logs: JSON lines for machines, short text for people. Secrets and addresses are redacted. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { redactAddresses } from '../kernel/email-address.ts'

export type Log = Logger

export interface LogOptions {
  level: string
  format: 'auto' | 'json' | 'text'
  /** Added to every line: processes that share an output differ by it. */
  processName?: string
}

export const isTextLog = (format: LogOptions['format']): boolean =>
  format === 'text' || (format === 'auto' && process.stdout.isTTY)

export function openLog({ level, format, processName }: LogOptions): Log {
  return pino(
    {
      level,
      base: processName === undefined ? undefined : { process: processName },
      redact: {
        paths: ['req.headers', 'password', 'secret', 'token', 'authorization', '*.password', '*.token'],
        remove: true,
      },
    },
    isTextLog(format) ? withoutAddresses(textStream()) : jsonStream(),
  )
}

/** Servers repeat addresses in their replies, so error messages contain them. */
export const withoutAddresses = (stream: DestinationStream): DestinationStream => ({
  write: (line) => stream.write(redactAddresses(line)),
})

/** A closed pipe or terminal ends the log, not the service. */
function jsonStream(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true })
  stream.on('error', () => undefined)
  return writtenTogether(withoutAddresses(stream))
}

/** The lines of one turn of the event loop are one write, because each takes as long as a line. */
export function writtenTogether(stream: DestinationStream): DestinationStream {
  let lines = ''
  const write = () => {
    const text = lines
    lines = ''
    if (text !== '') stream.write(text)
  }
  process.on('exit', write)
  return {
    write(line) {
      if (lines === '') setImmediate(write)
      lines += line
    },
  }
}

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Input from others must neither start a new line nor control the terminal. */
const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** `12:34:56 info  message key=value`, one line each. */
export function textStream(out: Pick<NodeJS.WritableStream, 'write'> = process.stdout): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...rest } = JSON.parse(line)
      const facts = Object.entries(rest).map(
        ([key, value]) => `${key}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
      )
      const clockTime = new Date(time).toISOString().slice(11, 19)
      const errorText = err
        ? `\n  ${String(err.stack ?? err.message)
            .split('\n')
            .map(printable)
            .join('\n')}`
        : ''
      out.write(
        `${clockTime} ${(LEVELS[level] ?? '').padEnd(5)} ${[printable(msg ?? ''), ...facts].join(' ')}${errorText}\n`,
      )
    },
  }
}
