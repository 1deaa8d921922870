/**
 * Collects requests with API keys and writes many of them in one statement, after their responses. If they can't be
 * written as fast as they arrive, further ones are dropped and counted: the log delays no request and needs little memory.
 */
import type { Context } from '../../../context.ts'
import { redactAddresses } from '../../../kernel/email-address.ts'
import { countDroppedRequests } from '../../../platform/metrics.ts'
import { shortenAddress } from '../../../platform/network/address-ranges.ts'
import * as queries from './queries.ts'

/** Soon enough for someone who sends a request and then looks at the log. */
const FLUSH_MS = 500
const BATCH_MAX = 1_000
const WAITING_MAX = 10_000
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
      if (isStopped || waiting >= WAITING_MAX) {
        countDroppedRequests(1)
        return
      }
      waiting++
      if ((batches.at(-1)?.size ?? BATCH_MAX) >= BATCH_MAX) batches.push({ groups: new Map(), size: 0 })
      addTo(batches.at(-1)!, request)
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

function addTo(batch: Batch, request: RecordedRequest): void {
  const { projectId, id, key, method, url, status, ip, error, ignoredFields } = request
  const second = queries.secondOf(id)
  // Requests with details are rarely equal.
  const shared =
    error || ignoredFields
      ? request
      : `${second.getTime()} ${projectId} ${key.type} ${key.id} ${status} ${method} ${ip}`
  let group = batch.groups.get(shared)
  if (!group) {
    group = emptyGroup(request, second)
    batch.groups.set(shared, group)
  }
  batch.size++
  group.ids.push(id)
  group.paths.push(shownPath(url))
  group.durationsMs.push(Math.round(request.durationMs))
}

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
  error: error ? shownError(error) : null,
  ignored_fields: ignoredFields?.map(storable) ?? null,
  ids: [],
  paths: [],
  durationsMs: [],
})

/** Without the query, which may contain anything, and without email addresses. */
const shownPath = (url: string): string =>
  storable(url.split(/[?#]/)[0]!)
    .slice(0, PATH_MAX)
    .replaceAll(/[^/]+(?:@|%40)[^/]+/gi, '{email}')

/** Without the values of the request. */
function shownError({ message, errors, suggestion }: queries.RequestError): queries.RequestError {
  return {
    message: shownText(message),
    ...(errors && {
      errors: errors.slice(0, ERRORS_MAX).map(({ field, message: text, code }) => ({
        field: storable(field),
        message: shownText(text),
        code,
      })),
    }),
    ...(suggestion && { suggestion: shownText(suggestion) }),
  }
}

const shownText = (text: string): string => redactAddresses(storable(text)).slice(0, MESSAGE_MAX)

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()
