/**
 * Reads one message with limits on its size, on the memory of all messages in progress, and on line endings. A message
 * that breaks a rule is read to its end and then refused, as SMTP requires; one that doesn't end is cut off.
 */
import { SmtpRefusal } from './refusal.ts'

/** The memory that all messages in progress share. */
export interface Room {
  /** Reserves memory for a sender, or returns why there is none. */
  take(sender: string, bytes: number): 'reserved' | 'sender is full' | 'all is full'
  release(sender: string, bytes: number): void
}

/** A sender (a client network, or a project) can use a quarter of it, so that some is left for the others. */
const SENDER_SHARE = 1 / 4

/** Has room for the largest message of a sender, whatever the others send. */
export function createRoom(bytes: number, maxBytes: number): Room {
  const room = Math.max(bytes, maxBytes / SENDER_SHARE)
  const bySender = new Map<string, number>()
  let total = 0
  const usedBy = (sender: string) => bySender.get(sender) ?? 0
  return {
    take(sender, more) {
      if (usedBy(sender) + more > room * SENDER_SHARE) return 'sender is full'
      if (total + more > room) return 'all is full'
      bySender.set(sender, usedBy(sender) + more)
      total += more
      return 'reserved'
    },
    release(sender, fewer) {
      total -= fewer
      const left = usedBy(sender) - fewer
      if (left > 0) bySender.set(sender, left)
      else bySender.delete(sender)
    },
  }
}

export interface Incoming {
  raw: Buffer
  /** Must be called when the message has been handled. */
  release(): void
}

const CR = 0x0d
const LF = 0x0a
/** A client that continues beyond this multiple of the limit is disconnected. */
const OVERSIZE_FACTOR = 2

export async function readMessage(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  room: Room,
  sender: string,
): Promise<Incoming> {
  const chunks: Buffer[] = []
  let bytes = 0
  let used = 0
  let last = 0
  let refusal: SmtpRefusal | undefined
  const release = () => {
    room.release(sender, used)
    used = 0
  }
  const refuse = (reason: SmtpRefusal) => {
    refusal ??= reason
    chunks.length = 0
    release()
  }
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > maxBytes * OVERSIZE_FACTOR) throw tooLarge(maxBytes, { disconnect: true })
      if (refusal) continue
      if (bytes > maxBytes) refuse(tooLarge(maxBytes))
      else if (hasBareNewline(chunk, last)) refuse(bareNewline())
      else {
        const place = room.take(sender, chunk.length)
        if (place !== 'reserved') {
          refuse(noRoom(place))
          continue
        }
        used += chunk.length
        chunks.push(chunk)
        last = chunk.at(-1) ?? last
      }
    }
    if (refusal) throw refusal
    return { raw: joined(chunks, used), release }
  } catch (error) {
    release()
    throw error
  }
}

/** In memory that threads can share, so that it isn't copied to each of them. */
function joined(chunks: Buffer[], bytes: number): Buffer {
  const raw = Buffer.from(new SharedArrayBuffer(bytes))
  let end = 0
  for (const chunk of chunks) end += chunk.copy(raw, end)
  return raw
}

/**
 * Some servers treat a bare line feed as the end of a line and others don't, so one message can be read as two (SMTP
 * smuggling). Legitimate senders don't need it.
 */
function hasBareNewline(chunk: Buffer, before: number): boolean {
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
    if ((at === 0 ? before : chunk[at - 1]) !== CR) return true
  }
  return false
}

const tooLarge = (maxBytes: number, options?: { disconnect: boolean }) =>
  new SmtpRefusal(552, `5.3.4 The message is larger than ${maxBytes} bytes.`, options)

const bareNewline = () =>
  new SmtpRefusal(550, '5.5.2 A line of the message ends with a line feed only. Lines must end with CR LF.')

const noRoom = (place: 'sender is full' | 'all is full') =>
  new SmtpRefusal(
    452,
    place === 'sender is full'
      ? '4.3.1 Too many messages are being received from you at the same time. Try again in a minute, with fewer connections.'
      : '4.3.1 Too many messages are being received. Try again in a minute.',
  )
