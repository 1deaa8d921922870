/**
 * A mail server that accepts every message and stores nothing, in a separate process: it does as little work as SMTP
 * allows, so that the sender is measured. Forked by sink.ts. It reports its port, the number of messages on request,
 * and for recipients that begin with `probe-` when their message was complete.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type SinkReport =
  | { port: number }
  | { messages: number; bytes: number; connections: number }
  | { probe: string; at: number }

const GREETING = '220 sink.test ESMTP\r\n'
const EXTENSIONS = '250-sink.test\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250 8BITMIME\r\n'
const END_OF_DATA = Buffer.from('\r\n.\r\n')

const accepted = { messages: 0, bytes: 0, connections: 0 }

function replyTo(command: string): string {
  switch (command.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return EXTENSIONS
    case 'DATA':
      return '354 go on\r\n'
    case 'QUIT':
      return '221 bye\r\n'
    default:
      return '250 2.0.0 ok\r\n'
  }
}

function serve(socket: Socket): void {
  accepted.connections++
  let inData = false
  let probe = ''
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.write(GREETING)
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let replies = ''
    for (;;) {
      const end = inData ? rest.indexOf(END_OF_DATA) : rest.indexOf('\r\n')
      if (end < 0) break
      if (inData) {
        accepted.messages++
        if (probe) report({ probe, at: performance.timeOrigin + performance.now() })
        probe = ''
        accepted.bytes += end
        replies += '250 2.0.0 accepted\r\n'
        inData = false
        rest = rest.subarray(end + END_OF_DATA.length)
      } else {
        const command = rest.toString('latin1', 0, end)
        rest = rest.subarray(end + 2)
        replies += replyTo(command)
        probe = /^RCPT TO:<(probe-[^@]*)@/i.exec(command)?.[1] ?? probe
        inData = /^data$/i.test(command)
      }
    }
    if (replies) socket.write(replies)
  })
}

const report = (message: SinkReport) => process.send!(message)

process.once('disconnect', () => process.exit()) // the parent process has exited
process.on('message', () => report(accepted))

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
