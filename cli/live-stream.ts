/** Follows the activity of a project. After an interruption it continues with what was missed. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { CommandError } from './errors.ts'

export interface Activity {
  id: string
  type: string
  timestamp: string
  contact: { id: string; email: string } | null
  metadata: Record<string, unknown>
  email: { id: string; status: string } | null
}

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000]
const LINE_MAX = 1_000_000

export async function* followActivity({ url, key }: Connection, signal: AbortSignal): AsyncGenerator<Activity> {
  let lastId: string | undefined
  let failures = 0
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}/activity/stream`, {
        headers: { authorization: `Bearer ${key}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
        signal,
      })
      if (response.status === 401 || response.status === 403) throw await refusalOf(response)
      if (response.ok && response.body) {
        for await (const data of eventsIn(response.body)) {
          failures = 0
          const activity = JSON.parse(data) as Activity
          lastId = activity.id
          yield activity
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CommandError) throw error
    }
    const delay = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]
    await wait(delay, undefined, { signal }).catch(() => undefined)
  }
}

async function refusalOf(response: Response): Promise<CommandError> {
  const body = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
  return new CommandError(body.error?.message ?? 'The key is not allowed to read activity.', 3)
}

/** The data of each server-sent event. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  let data: string[] = []
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    text = lines.pop() ?? ''
    if (text.length > LINE_MAX) throw new Error('A line of the stream is too long.')
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      }
    }
  }
}

/** Ended with Ctrl+C. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
