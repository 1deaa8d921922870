/**
 * Reads one message as it comes in, with an end to everything: its size, the memory of all messages under way together,
 * and what a line may end with. A message that breaks a rule is read to its end and refused then, as SMTP wants it;
 * one that doesn't end is cut off.
 */
import { SmtpRefusal } from './refusal.ts'

/** Memory that all messages under way share. */
export interface Room {
  bytesLeft: number
}

export interface Incoming {
  raw: Buffer
  /** To be called when the message is dealt with. */
  release(): void
}

const CR = 0x0d
const LF = 0x0a
/** Whoever sends on after the limit is not listening. */
const PATIENCE = 2

export async function readMessage(stream: AsyncIterable<Buffer>, maxBytes: number, room: Room): Promise<Incoming> {
  const chunks: Buffer[] = []
  let bytes = 0
  let taken = 0
  let last = 0
  let refusal: SmtpRefusal | undefined
  const release = () => {
    room.bytesLeft += taken
    taken = 0
  }
  const refuse = (reason: SmtpRefusal) => {
    refusal ??= reason
    chunks.length = 0
    release()
  }
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > maxBytes * PATIENCE) throw tooLarge(maxBytes, { hangUp: true })
      if (refusal) continue
      if (bytes > maxBytes) refuse(tooLarge(maxBytes))
      else if (hasBareNewline(chunk, last)) refuse(bareNewline())
      else if (room.bytesLeft < chunk.length) refuse(noRoom())
      else {
        room.bytesLeft -= chunk.length
        taken += chunk.length
        chunks.push(chunk)
        last = chunk.at(-1) ?? last
      }
    }
    if (refusal) throw refusal
    return { raw: Buffer.concat(chunks), release }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * A line feed alone is taken for the end of a line by some servers and not by others, so that one message can pass for
 * two (SMTP smuggling). No honest sender needs it.
 */
function hasBareNewline(chunk: Buffer, before: number): boolean {
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
    if ((at === 0 ? before : chunk[at - 1]) !== CR) return true
  }
  return false
}

const tooLarge = (maxBytes: number, options?: { hangUp: boolean }) =>
  new SmtpRefusal(552, `5.3.4 The message is larger than ${maxBytes} bytes.`, options)

const bareNewline = () =>
  new SmtpRefusal(550, '5.5.2 A line of the message ends with a line feed only. Lines must end with CR LF.')

const noRoom = () => new SmtpRefusal(452, '4.3.1 Too many messages are being received. Try again later.')
