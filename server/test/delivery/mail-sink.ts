/** A mail server that accepts everything after a moment, and counts how often it accepted each message, and for whom. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** So that many messages are in flight at the same time. */
const ANSWER_MS = 30

export type MailSink = Awaited<ReturnType<typeof openMailSink>>

export async function openMailSink() {
  /** Message-ID → how often it was accepted. */
  const accepted = new Map<string, number>()
  /** Recipient → how many messages were accepted for it. */
  const recipients = new Map<string, number>()
  /** Message-ID → when its last SMTP transaction began. */
  const begunAt = new Map<string, number>()
  const sockets = new Set<Socket>()
  let onMessage: (count: number) => void = () => {}
  let answerMs = ANSWER_MS

  function accept(message: string, to: string, begun: number): void {
    const id = /^Message-ID:\s*<([^>]+)>/im.exec(message)?.[1] ?? 'none'
    accepted.set(id, (accepted.get(id) ?? 0) + 1)
    recipients.set(to, (recipients.get(to) ?? 0) + 1)
    begunAt.set(id, begun)
    onMessage(accepted.size)
  }

  function receive(socket: Socket): void {
    let text = ''
    let message: string | undefined
    let to = ''
    let begun = 0
    const answer = (line: string) => socket.write(`${line}\r\n`)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1').on('error', () => socket.destroy())
    answer('220 sink.test ESMTP')
    socket.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (message === undefined) {
          if (/^mail/i.test(line)) begun = performance.now()
          to = /^rcpt to:<([^>]*)>/i.exec(line)?.[1] ?? to
          if (/^data$/i.test(line)) message = ''
          if (/^quit/i.test(line)) socket.end('221 bye\r\n')
          else answer(/^data$/i.test(line) ? '354 go on' : '250 ok')
        } else if (line === '.') {
          accept(message, to, begun)
          message = undefined
          setTimeout(answer, answerMs, '250 accepted')
        } else message += `${line}\n`
      }
    })
  }

  const server = createServer(receive).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=off`,
    accepted,
    recipients,
    begunAt,
    connections: () => sockets.size,
    /** From now on, each message is confirmed only after this time. */
    answerAfter: (ms = ANSWER_MS) => {
      answerMs = ms
    },
    /** Resolves when so many messages were accepted, before the response to the last of them. */
    untilAccepted: (count: number) =>
      new Promise<void>((resolve) => {
        onMessage = (size) => size >= count && resolve()
        onMessage(accepted.size)
      }),
    /** For the next test: as if it had accepted nothing. */
    forget() {
      for (const counts of [accepted, recipients, begunAt]) counts.clear()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
