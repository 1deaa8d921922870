/** Runs in a thread: parses long JSON bodies. */
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import { Refusal, type RefusalExtras, type RefusalKind } from '../../../kernel/errors.ts'
import { serveJobs } from '../../threads.ts'
import { parseJsonBody } from './read-body.ts'

export type ParsedBody =
  | { kind: 'parsed'; value: unknown }
  | { kind: 'refused'; refusal: { kind: RefusalKind; code: ErrorCode; message: string; extras: RefusalExtras } }

/** Copying a value to another thread needs stack for each level. */
const DEEPEST = 1000

export interface LongBody {
  bytes: Uint8Array
  valuesMax: number | undefined
}

function parse({ bytes, valuesMax }: LongBody): ParsedBody {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    const value = parseJsonBody(text, valuesMax)
    if (isDeeperThan(DEEPEST, value)) throw tooDeep()
    return { kind: 'parsed', value }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { kind, code, message, extras } = error
    return { kind: 'refused', refusal: { kind, code, message, extras } }
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item)))

const tooDeep = () =>
  new Refusal('too-large', 'PAYLOAD_TOO_LARGE', `The request body is nested more than ${DEEPEST} levels deep.`, {
    suggestion: 'Send a flatter body.',
  })

serveJobs(parse)
