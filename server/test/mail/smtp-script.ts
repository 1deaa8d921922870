/**
 * A mail server on loopback that replies as a test specifies, for behavior that no real server can be configured to
 * have.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface SmtpScript {
  port: number
  /** The received data, in the chunks in which it was received, over all connections. */
  received: string[]
  sockets: Socket[]
  close(): Promise<void>
}

/** Accepts everything. */
export const acceptAll = (extensions: string) => (line: string) => {
  if (line.startsWith('EHLO')) return extensions
  return line === 'DATA' ? '354 go\r\n' : '250 ok\r\n'
}

/**
 * Replies to each line as specified; a whole message counts as a line with one dot. An empty reply sends nothing;
 * `null` closes the connection. The data after a 354 reply is a message.
 */
export async function smtpScript(
  answer: (line: string) => string | null,
  greeting: string | null = '220 x\r\n',
): Promise<SmtpScript> {
  const received: string[] = []
  const { port, sockets, close } = await listen((socket) => {
    /** Starts after a line break, which is the one that a lone dot requires. */
    let message: string | undefined
    const say = (words: string | null) => (words === null ? socket.destroy() : socket.write(words, 'latin1'))
    say(greeting)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      received.push(text)
      if (message !== undefined) {
        message += text
        if (!message.endsWith('\r\n.\r\n')) return
        message = undefined
        say(answer('.'))
        return
      }
      const answers = text.split('\r\n').slice(0, -1).map(answer)
      const stop = answers.findIndex((words) => !words)
      const words = stop < 0 ? answers : answers.slice(0, stop)
      if (words.length > 0) say(words.join(''))
      if (answers[stop] === null) say(null)
      if (words.at(-1)?.startsWith('354')) message = '\r\n'
    })
  })
  return { port, received, sockets, close }
}

export async function listen(serve: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined) // for clients that close the connection on purpose
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
