/**
 * Reads server-sent events with fetch, because EventSource can't send the header that names the project. The caller
 * passes a signal to stop, and reconnects when the stream ends.
 */

/** The complete events in a text, and the rest of the last one. */
export function eventsIn(text: string): { events: { id: string | undefined; data: string }[]; rest: string } {
  const blocks = text.split(/\r?\n\r?\n/)
  const rest = blocks.pop()!
  const events = blocks.flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const of = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    const data = of('data')
    return data.length > 0 ? [{ id: of('id').at(-1), data: data.join('\n') }] : []
  })
  return { events, rest }
}

interface StreamOptions {
  url: string
  projectId: string
  lastId: string | undefined
  signal: AbortSignal
  onOpen(): void
  onEvent(event: { id: string | undefined; data: string }): void
}

/** Resolves when the service ends the stream; throws if it can't be reached. */
export async function readStream({ url, projectId, lastId, signal, onOpen, onEvent }: StreamOptions): Promise<void> {
  const response = await fetch(url, {
    signal,
    credentials: 'same-origin',
    headers: {
      accept: 'text/event-stream',
      'x-project-id': projectId,
      ...(lastId ? { 'last-event-id': lastId } : {}),
    },
  })
  if (!response.ok || !response.body) throw new Error(`The activity stream responded with status ${response.status}.`)
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const { done, value } = await reader.read()
    if (done) return
    const { events, rest } = eventsIn(text + value)
    text = rest
    for (const event of events) onEvent(event)
  }
}
