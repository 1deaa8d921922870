/**
 * Live updates from the activity stream. All parts of a page share one connection per project. It is open only while the
 * tab is visible, because browsers allow six connections per host over HTTP/1.1 and every open tab would use one.
 */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Schemas, SERVICE_URL } from './api.ts'
import { useProjectId } from './project.ts'
import { readStream } from './stream.ts'

export type Activity = Schemas['Activity']

const RECONNECT_MS = 3_000
/** Queries are refetched at most this often, however many events arrive. */
const REFETCH_MS = 1_000

interface Channel {
  listeners: Set<(item: Activity) => void>
  observers: Set<() => void>
  open: boolean
  lastId: string | undefined
  stop: AbortController | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

const channels = new Map<string, Channel>()

function channelOf(projectId: string): Channel {
  const known = channels.get(projectId)
  if (known) return known
  const channel: Channel = {
    listeners: new Set(),
    observers: new Set(),
    open: false,
    lastId: undefined,
    stop: undefined,
    timer: undefined,
  }
  channels.set(projectId, channel)
  return channel
}

function setOpen(channel: Channel, open: boolean): void {
  if (channel.open === open) return
  channel.open = open
  for (const observer of channel.observers) observer()
}

const isWanted = (channel: Channel) => channel.listeners.size > 0 && document.visibilityState === 'visible'

async function connect(projectId: string, channel: Channel): Promise<void> {
  const stop = new AbortController()
  channel.stop = stop
  await readStream({
    url: `${SERVICE_URL}/activity/stream`,
    projectId,
    lastId: channel.lastId,
    signal: stop.signal,
    onOpen: () => setOpen(channel, true),
    onEvent: ({ id, data }) => {
      channel.lastId = id ?? channel.lastId
      const item = JSON.parse(data) as Activity
      for (const listener of channel.listeners) listener(item)
    },
  }).catch(() => {})
  if (stop.signal.aborted) return
  channel.stop = undefined
  setOpen(channel, false)
  channel.timer = setTimeout(() => update(projectId), RECONNECT_MS)
}

/** Connects or disconnects, depending on whether someone listens and the tab is visible. */
function update(projectId: string): void {
  const channel = channelOf(projectId)
  clearTimeout(channel.timer)
  if (isWanted(channel)) {
    if (!channel.stop) void connect(projectId, channel)
    return
  }
  channel.stop?.abort()
  channel.stop = undefined
  setOpen(channel, false)
  // Without listeners, what happens until the next one is of no interest.
  if (channel.listeners.size === 0) channel.lastId = undefined
}

document.addEventListener('visibilitychange', () => {
  for (const projectId of channels.keys()) update(projectId)
})

/** Calls `onActivity` for everything that happens in the project. */
export function useActivity(onActivity: (item: Activity) => void, wanted = true): void {
  const projectId = useProjectId()
  const current = useRef(onActivity)
  current.current = onActivity
  useEffect(() => {
    if (!wanted) return
    const { listeners } = channelOf(projectId)
    const listener = (item: Activity) => current.current(item)
    listeners.add(listener)
    update(projectId)
    return () => {
      listeners.delete(listener)
      // The next page may listen as well; then the connection stays open.
      setTimeout(() => update(projectId))
    }
  }, [projectId, wanted])
}

/** Whether the connection is open. */
export function useIsLive(): boolean {
  const channel = channelOf(useProjectId())
  return useSyncExternalStore(
    (observer) => {
      channel.observers.add(observer)
      return () => channel.observers.delete(observer)
    },
    () => channel.open,
  )
}

/** Refetches queries when a matching activity happens: at once, and then at most once a second. */
export function useLiveQueries(queryKeys: QueryKey[], concerns: (item: Activity) => boolean, wanted = true): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const again = useRef(false)
  const refetch = () => {
    if (timer.current) {
      again.current = true
      return
    }
    for (const queryKey of queryKeys) void queries.invalidateQueries({ queryKey })
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (!again.current) return
      again.current = false
      refetch()
    }, REFETCH_MS)
  }
  useActivity((item) => concerns(item) && refetch(), wanted)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

export const concernsEmails = ({ type }: Activity): boolean => type.startsWith('email.')

/** Whether the activity is about one email. */
export const concernsEmail =
  (id: string) =>
  ({ metadata }: Activity): boolean =>
    metadata.emailId === id
