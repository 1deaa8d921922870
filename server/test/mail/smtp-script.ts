/** A mail server on loopback that says what a test tells it to, however odd: for what no real server can be made to do. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface SmtpScript {
  port: number
  /** What came, in the pieces in which it came, over all connections. */
  heard: string[]
  sockets: Socket[]
  close(): Promise<void>
}

/** Takes everything. */
export const obliging = (extensions: string) => (line: string) => {
  if (line.startsWith('EHLO')) return extensions
  return line === 'DATA' ? '354 go\r\n' : '250 ok\r\n'
}

/**
 * Answers each line as told, a whole message as a line of one dot. Nothing is said after an empty answer; `null` hangs
 * up. What follows an answer of 354 is a message.
 */
export async function smtpScript(
  answer: (line: string) => string | null,
  greeting: string | null = '220 x\r\n',
): Promise<SmtpScript> {
  const heard: string[] = []
  const { port, sockets, close } = await listen((socket) => {
    /** Begun after a line end, which is the one a lone dot needs. */
    let message: string | undefined
    const say = (words: string | null) => (words === null ? socket.destroy() : socket.write(words, 'latin1'))
    say(greeting)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      heard.push(text)
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
  return { port, heard, sockets, close }
}

export async function listen(serve: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined) // clients that hang up on purpose
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
