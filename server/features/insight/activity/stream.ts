/**
 * Live activity as server-sent events. One database connection per process is notified when a watched project has new
 * activity; one read per project serves all of its watchers. A read goes back a few seconds, because transactions don't
 * commit in the order of their ids.
 */
import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { firstIdAt, isId } from '../../../kernel/ids.ts'
import type { Listening } from '../../../platform/database/connection/listen.ts'
import { showActivity } from './actions.ts'
import { extendWatches, type FeedRow, listFeed, watchProjects } from './queries.ts'

const HEARTBEAT_MS = 15_000
/** Two heartbeats take less time. */
const WATCHED_SECONDS = 60
/** Then the stream ends, and the client reconnects and is authenticated again. */
const LIFETIME_MS = 15 * 60_000
/** Time for the client to read the end of the stream before the connection is destroyed. */
const ENDED_WITHIN_MS = 60_000
const RETRY_MS = 3_000
/** The start of a notification that a key, a session or a membership of a watched project has ended (triggers.sql). */
const ACCESS = 'access:'
export const STREAMS_MAX = 20
const REPLAY_MAX = 500
const READ_AT_ONCE = 500
const OVERLAP_MS = 5_000
/** The minimum pause between reads; the pause is at least four times the duration of the last read. */
const PAUSE_MS = 100
/** The limit of unread data of a slow client. It can reconnect with its last event id. */
const UNREAD_MAX_BYTES = 1024 * 1024

interface Watcher {
  stream: Readable
  since: number
  ended: boolean
  /** Rows that arrive while past activity is being sent. */
  waiting: FeedRow[] | undefined
}

interface Channel {
  projectId: string
  watchers: Set<Watcher>
  ready: Promise<void>
  from: string
  seen: Set<string>
  isReading: boolean
  readAgain: boolean
}

interface Hub {
  ctx: Context
  channels: Map<string, Channel>
  listening: Promise<Listening> | undefined
  heartbeat: NodeJS.Timeout | undefined
  closed: boolean
}

interface StreamOptions {
  lastId?: string | undefined
  /** When the key of the client expires. */
  until?: Date | null | undefined
}

export type ActivityStreams = ReturnType<typeof createActivityStreams>

export function createActivityStreams(ctx: Context) {
  const hub: Hub = { ctx, channels: new Map(), listening: undefined, heartbeat: undefined, closed: false }
  return {
    /** Starts now, or after the last event id that the client received. */
    open: (projectId: string, { lastId, until = null }: StreamOptions): Promise<Readable> =>
      openStream(hub, projectId, lastId, until),
    /** Ends every stream, so that shutdown doesn't wait for watchers. */
    close(): void {
      hub.closed = true
      for (const channel of hub.channels.values()) for (const watcher of channel.watchers) end(watcher)
      hub.channels.clear()
      stopListening(hub)
    },
  }
}

async function openStream(
  hub: Hub,
  projectId: string,
  lastId: string | undefined,
  until: Date | null,
): Promise<Readable> {
  if (hub.closed)
    throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'The service is shutting down. Try again in a moment.')
  const channel = hub.channels.get(projectId) ?? openChannel(hub, projectId)
  if (channel.watchers.size >= STREAMS_MAX) throw tooManyStreams()
  const watcher = addWatcher(hub, channel, until)
  try {
    await channel.ready
    write(watcher, `retry: ${RETRY_MS}\n\n`)
    const past = lastId !== undefined && isId(lastId) ? await readPast(hub.ctx, projectId, lastId.toLowerCase()) : []
    const sentIds = new Set(past.map((row) => row.id))
    const queued = (watcher.waiting ?? []).filter((row) => !sentIds.has(row.id))
    watcher.waiting = undefined
    for (const row of [...past, ...queued]) sendRow(watcher, row)
    return watcher.stream
  } catch (error) {
    watcher.stream.destroy()
    throw error
  }
}

const tooManyStreams = () =>
  new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', `A project can have at most ${STREAMS_MAX} open streams at a time.`, {
    details: { retryAfter: RETRY_MS / 1000 },
  })

/** The newest rows after an id, in order. */
const readPast = async (ctx: Context, projectId: string, lastId: string) =>
  (await listFeed(ctx.db, projectId, { first: lastId }, { limit: REPLAY_MAX + 1 }))
    .filter((row) => row.id !== lastId)
    .slice(0, REPLAY_MAX)
    .reverse()

function addWatcher(hub: Hub, channel: Channel, until: Date | null): Watcher {
  const stream = new Readable({ read() {} })
  const watcher: Watcher = { stream, since: performance.now(), ended: false, waiting: [] }
  channel.watchers.add(watcher)
  const leftMs = until ? until.getTime() - hub.ctx.clock.now().getTime() : LIFETIME_MS
  const expiry = leftMs < LIFETIME_MS ? setTimeout(() => end(watcher), leftMs).unref() : undefined
  stream.once('close', () => {
    clearTimeout(expiry)
    channel.watchers.delete(watcher)
    if (channel.watchers.size === 0 && hub.channels.get(channel.projectId) === channel) {
      hub.channels.delete(channel.projectId)
    }
    if (hub.channels.size === 0) stopListening(hub)
  })
  stream.on('error', () => {}) // the client went away
  return watcher
}

function openChannel(hub: Hub, projectId: string): Channel {
  const { ctx } = hub
  const from = firstIdAt(new Date(ctx.clock.now().getTime() - OVERLAP_MS))
  const channel: Channel = {
    projectId,
    watchers: new Set(),
    ready: Promise.resolve(),
    from,
    seen: new Set(),
    isReading: false,
    readAgain: false,
  }
  hub.channels.set(projectId, channel)
  hub.heartbeat ??= setInterval(() => sendHeartbeats(hub), HEARTBEAT_MS).unref()
  channel.ready = (async () => {
    hub.listening ??= listenFor(hub)
    await hub.listening
    await watchProjects(ctx.db, [projectId], WATCHED_SECONDS)
    await readNew(ctx, channel) // rows that already exist are not sent
  })()
  channel.ready.catch(() => {
    if (hub.channels.get(projectId) === channel) hub.channels.delete(projectId) // the next client retries
  })
  return channel
}

function listenFor(hub: Hub): Promise<Listening> {
  const { ctx } = hub
  const listening = ctx.listen({
    channel: 'posthorn_activity',
    onNotice: (notice) => {
      if (notice.startsWith(ACCESS)) endChannel(hub.channels.get(notice.slice(ACCESS.length)))
      else requestRead(ctx, hub.channels.get(notice))
    },
    onReconnect: () => {
      for (const channel of hub.channels.values()) requestRead(ctx, channel)
    },
  })
  listening.catch(() => {
    if (hub.listening === listening) hub.listening = undefined
  })
  return listening
}

/** Someone may have lost access. All streams end, and clients that still have access reconnect. */
function endChannel(channel: Channel | undefined): void {
  for (const watcher of channel?.watchers ?? []) end(watcher)
}

/** Keeps connections and watches active, and finds activity without notifications: campaigns and workflows. */
function sendHeartbeats(hub: Hub): void {
  const { ctx } = hub
  const ids = [...hub.channels.keys()]
  if (ids.length === 0) return
  extendWatches(ctx.db, ids, WATCHED_SECONDS).catch((error) =>
    ctx.log.debug({ err: error }, 'activity streams are unavailable'),
  )
  for (const channel of hub.channels.values()) {
    for (const watcher of channel.watchers) {
      const ageMs = performance.now() - watcher.since
      if (ageMs > LIFETIME_MS + ENDED_WITHIN_MS) watcher.stream.destroy()
      else if (ageMs > LIFETIME_MS) end(watcher)
      else write(watcher, ': heartbeat\n\n')
    }
    requestRead(ctx, channel)
  }
}

/** Starts a read unless one is running; in that case another one follows. */
function requestRead(ctx: Context, channel: Channel | undefined): void {
  if (!channel) return
  channel.readAgain = true
  if (channel.isReading) return
  channel.isReading = true
  readUntilCurrent(ctx, channel)
    .catch((error) => ctx.log.debug({ err: error }, 'reading new activity failed; retrying at the next heartbeat'))
    .finally(() => {
      channel.isReading = false
    })
}

async function readUntilCurrent(ctx: Context, channel: Channel): Promise<void> {
  while (channel.readAgain && channel.watchers.size > 0) {
    channel.readAgain = false
    const began = performance.now()
    for (const row of await readNew(ctx, channel)) for (const watcher of channel.watchers) sendRow(watcher, row)
    const tookMs = performance.now() - began
    await new Promise((resolve) => setTimeout(resolve, Math.max(PAUSE_MS, 4 * tookMs)).unref())
  }
}

/** Rows that weren't sent to watchers in this process yet, oldest first. */
async function readNew(ctx: Context, channel: Channel): Promise<FeedRow[]> {
  const newRows: FeedRow[] = []
  let first = channel.from
  for (;;) {
    const rows = await listFeed(ctx.db, channel.projectId, { first }, { order: 'asc', limit: READ_AT_ONCE })
    for (const row of rows) {
      if (channel.seen.has(row.id)) continue
      channel.seen.add(row.id)
      newRows.push(row)
    }
    if (rows.length < READ_AT_ONCE) break
    first = rows.at(-1)!.id
  }
  const overlapStart = firstIdAt(new Date(ctx.clock.now().getTime() - OVERLAP_MS))
  if (overlapStart > channel.from) channel.from = overlapStart
  for (const id of channel.seen) if (id < channel.from) channel.seen.delete(id)
  return newRows
}

function sendRow(watcher: Watcher, row: FeedRow): void {
  if (watcher.waiting) watcher.waiting.push(row)
  else write(watcher, `id: ${row.id}\ndata: ${JSON.stringify(showActivity(row))}\n\n`)
}

function write({ stream, ended }: Watcher, text: string): void {
  if (stream.destroyed || ended) return
  if (stream.readableLength > UNREAD_MAX_BYTES) stream.destroy()
  else stream.push(text)
}

function end(watcher: Watcher): void {
  if (watcher.ended) return
  watcher.ended = true
  watcher.stream.push(null)
}

/** Stops listening when there are no watchers. */
function stopListening(hub: Hub): void {
  clearInterval(hub.heartbeat)
  hub.heartbeat = undefined
  const listening = hub.listening
  hub.listening = undefined
  listening?.then((open) => open.close()).catch(() => {})
}
