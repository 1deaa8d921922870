/**
 * Bytes from a mail server made into replies: a code and its words, over as many lines as it likes. The last line's
 * code counts. What isn't a reply, or never ends, is told once as garbage; nothing is read after that.
 */

export interface Reply {
  code: number
  /** All lines with their codes, as they came. */
  text: string
}

export interface ReplyReader {
  read(chunk: Buffer): void
  /** The connection is over: a refusal whose line was never ended still counts. */
  finish(): void
  /** Throws away a line that is half here. */
  forget(): void
}

/** Of one reply. Real ones have a few hundred bytes. */
export const REPLY_BYTES_MAX = 64 * 1024

const ENDLESS = 'an answer without end'
const LINE = /^[2-5]\d\d(?:[ -]|$)/
const UNENDED_REFUSAL = /^[45]\d\d[ -]/
const LINE_FEED = 10

export function createReplyReader(onReply: (reply: Reply) => void, onGarbage: (words: string) => void): ReplyReader {
  /** A line that is half here. Each character is a byte until the reply is complete. */
  let rest = ''
  /** The lines of a reply whose last one is to come. */
  let lines = ''
  let isDone = false

  function read(chunk: Buffer): void {
    if (isDone) return
    const hasLineEnd = chunk.includes(LINE_FEED)
    rest += chunk.toString('latin1')
    // Only a chunk with a line end is worth a look, or a line that comes byte by byte is read over and over.
    if (hasLineEnd) readLines()
    if (!isDone && rest.length + lines.length > REPLY_BYTES_MAX) giveUp(ENDLESS)
  }

  function readLines(): void {
    const text = rest
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0 && !isDone; end = text.indexOf('\n', from)) {
      readLine(text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end))
      from = end + 1
    }
    rest = text.slice(from)
  }

  function readLine(line: string): void {
    if (line.trim() === '') return
    if (!LINE.test(line)) giveUp(decoded(line))
    else if (line[3] === '-') {
      lines += `${line}\n`
      if (lines.length > REPLY_BYTES_MAX) giveUp(ENDLESS)
    } else {
      const text = decoded(lines + line)
      lines = ''
      onReply({ code: Number(line.slice(0, 3)), text })
    }
  }

  function giveUp(words: string): void {
    isDone = true
    rest = lines = ''
    onGarbage(words)
  }

  return {
    read,
    finish: () => {
      if (UNENDED_REFUSAL.test(lines + rest)) read(Buffer.from('\r\n'))
      isDone = true
    },
    forget: () => {
      rest = lines = ''
    },
  }
}

/** UTF-8 where it is, else a character a byte. */
function decoded(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is what is asked for
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? bytes : text
}
