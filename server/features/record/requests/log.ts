/**
 * Collects requests with API keys and writes many of them in one statement, after their responses. If they can't be
 * written as fast as they arrive, further ones are dropped and counted: the log delays no request and needs little memory.
 */
import type { Context } from '../../../context.ts'
import { redactAddresses } from '../../../kernel/email-address.ts'
import { msOfId } from '../../../kernel/ids.ts'
import { countDroppedRequests } from '../../../platform/metrics.ts'
import { shortenAddress } from '../../../platform/network/address-ranges.ts'
import * as queries from './queries.ts'

/** Soon enough for someone who sends a request and then looks at the log. */
const FLUSH_MS = 500
const BATCH_MAX = 1_000
const WAITING_MAX = 10_000
/** Requests beyond the rate limit that each write keeps of a project: there can be any number, and all say the same. */
const THROTTLED_MAX = 20
const THROTTLED = 429
const PATH_MAX = 500
const MESSAGE_MAX = 1_000
const ERRORS_MAX = 20

/** The key that a request was made with. */
export interface RequestKey {
  type: 'secret' | 'public' | 'api'
  /** Null for a key of the project itself. */
  id: string | null
  name: string
}

export interface RecordedRequest {
  projectId: string
  id: string
  key: RequestKey
  method: string
  url: string
  status: number
  durationMs: number
  ip: string
  error?: (queries.RequestError & { code: string }) | undefined
  ignoredFields?: string[] | undefined
}

export type RequestLog = ReturnType<typeof createRequestLog>

/** Requests that are written by one statement. Most are like many others, and become one row with them. */
interface Batch {
  groups: Map<unknown, queries.RequestGroup>
  size: number
  /** How many requests beyond the rate limit there are, by project. */
  throttled: Map<string, number>
  /** The row of the latest request without details. Most requests have the same, which is found without a text. */
  latest?: { shared: Shared; group: queries.RequestGroup }
}

export function createRequestLog(ctx: Context) {
  let batches: Batch[] = []
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isStopped = false

  async function write(): Promise<void> {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      waiting -= batch.size
      try {
        await queries.insertRequests(ctx.db, [...batch.groups.values()])
      } catch (error) {
        countDroppedRequests(batch.size)
        ctx.log.debug({ err: error }, 'requests could not be recorded in the request log')
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  return {
    record(request: RecordedRequest): void {
      if (ctx.settings.REQUEST_LOG === 'off') return
      if ((batches.at(-1)?.size ?? BATCH_MAX) >= BATCH_MAX)
        batches.push({ groups: new Map(), size: 0, throttled: new Map() })
      const batch = batches.at(-1)!
      if (isStopped || waiting >= WAITING_MAX || isThrottledTooOften(batch, request)) {
        countDroppedRequests(1)
        return
      }
      waiting++
      addTo(batch, request)
      timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    /** Writes what has been recorded so far. */
    flush,
    async stop(): Promise<void> {
      isStopped = true
      await flush()
      batches = []
    },
  }
}

function isThrottledTooOften({ throttled }: Batch, { status, projectId }: RecordedRequest): boolean {
  if (status !== THROTTLED) return false
  const count = (throttled.get(projectId) ?? 0) + 1
  throttled.set(projectId, count)
  return count > THROTTLED_MAX
}

function addTo(batch: Batch, request: RecordedRequest): void {
  const { id, url, status, durationMs, error, ignoredFields } = request
  batch.size++
  const shared = sharedBy(request)
  // Requests with details are rarely equal.
  const hasDetails = error !== undefined || ignoredFields !== undefined
  const { latest } = batch
  let group = !hasDetails && latest && isEqual(latest.shared, shared) ? latest.group : undefined
  if (!group) {
    const row = !hasDetails || status === THROTTLED ? [...shared, error?.message].join(' ') : request
    group = batch.groups.get(row) ?? emptyGroup(request, queries.secondOf(id))
    batch.groups.set(row, group)
    if (!hasDetails) batch.latest = { shared, group }
  }
  group.ids.push(id)
  group.paths.push(shownPath(url))
  group.durationsMs.push(Math.round(durationMs))
}

/** What the requests of a row have in common. */
const sharedBy = ({ id, projectId, key, method, status, ip }: RecordedRequest) =>
  [Math.floor(msOfId(id) / 1000), projectId, key.type, key.id, status, method, ip] as const

type Shared = ReturnType<typeof sharedBy>

const isEqual = (one: Shared, other: Shared): boolean => one.every((value, at) => value === other[at])

const emptyGroup = (
  { projectId, key, method, status, ip, error, ignoredFields }: RecordedRequest,
  second: Date,
): queries.RequestGroup => ({
  project_id: projectId,
  second,
  method,
  status,
  code: error?.code ?? null,
  key_type: key.type,
  key_id: key.id,
  key_name: key.name,
  ip: shortenAddress(ip),
  error: error ? shownError(error, ip) : null,
  ignored_fields: ignoredFields?.map(storable) ?? null,
  ids: [],
  paths: [],
  durationsMs: [],
})

/** Without the query, which may contain anything, and without email addresses. Most paths are stored as they are. */
function shownPath(url: string): string {
  if (url.length <= PATH_MAX && PLAIN_PATH.test(url)) return url
  return storable(url.split(/[?#]/)[0]!)
    .slice(0, PATH_MAX)
    .replaceAll(/[^/]+(?:@|%40)[^/]+/gi, '{email}')
}

const PLAIN_PATH = /^[\w/.:-]+$/

/** Without the values of the request, and with only the network of the client. */
function shownError({ message, errors, suggestion }: queries.RequestError, ip: string): queries.RequestError {
  const shown = (text: string) =>
    redactAddresses(storable(text).replaceAll(ip, shortenAddress(ip) ?? '')).slice(0, MESSAGE_MAX)
  return {
    message: shown(message),
    ...(errors && {
      errors: errors.slice(0, ERRORS_MAX).map(({ field, message: text, code }) => ({
        field: storable(field),
        message: shown(text),
        code,
      })),
    }),
    ...(suggestion && { suggestion: shown(suggestion) }),
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()
