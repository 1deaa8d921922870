/** A mail client that sends exactly the given lines, so that tests can send what libraries never would. */
import { connect, type Socket } from 'node:net'

export interface MailClient {
  /** Sends a line and waits for its reply, including all of its lines. */
  say(line: string): Promise<string>
  /** Sends these bytes and waits for a reply. */
  write(bytes: string | Buffer): Promise<string>
  reply(): Promise<string>
  socket: Socket
  close(): void
}

export async function connectMail(port: number): Promise<MailClient & { greeting: string }> {
  const socket = connect(port, '127.0.0.1')
  let seen = ''
  let isOver = false
  const waiting: Array<() => void> = []
  const wake = () => {
    for (const go of waiting.splice(0)) go()
  }
  socket.on('data', (chunk) => {
    seen += chunk.toString('utf8')
    wake()
  })
  socket.on('close', () => {
    isOver = true
    wake()
  })
  socket.on('error', () => undefined)

  async function reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(seen)?.[0]
      if (whole) {
        seen = seen.slice(whole.length)
        return whole.trim()
      }
      if (isOver) return 'closed'
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const write = (bytes: string | Buffer) => {
    socket.write(bytes)
    return reply()
  }
  const greeting = await reply()
  return { greeting, socket, reply, write, say: (line) => write(`${line}\r\n`), close: () => socket.destroy() }
}

/** A whole session; returns the reply to each step. */
export async function deliver(
  port: number,
  mail: { from?: string; to: string[]; raw: string | Buffer; helo?: string },
): Promise<string[]> {
  const client = await connectMail(port)
  try {
    const replies = [await client.say(`EHLO ${mail.helo ?? 'mx.sender.example'}`)]
    replies.push(await client.say(`MAIL FROM:<${mail.from ?? 'ada@sender.example'}>`))
    for (const to of mail.to) replies.push(await client.say(`RCPT TO:<${to}>`))
    replies.push(await client.say('DATA'))
    if (!replies.at(-1)!.startsWith('354')) return replies
    client.socket.write(mail.raw)
    replies.push(await client.write('\r\n.\r\n'))
    return replies
  } finally {
    client.close()
  }
}
