/**
 * Signs in to a submission port for clients that can't, such as smtp-source: one connection there for each one here. After
 * that it passes on bytes. Forked by smtp.ts with the port and the credentials of AUTH PLAIN; reports its own port.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const [port, login] = process.argv.slice(2) as [string, string]
const credentials = Buffer.from(login.replaceAll('\\0', '\0')).toString('base64')

/**
 * What to write next, by the code of the last reply: EHLO after the greeting, then AUTH, and nothing once signed in.
 */
const NEXT: Record<string, string> = { '220': 'EHLO bench.test\r\n', '250': `AUTH PLAIN ${credentials}\r\n` }

function serve(client: Socket): void {
  const server = connect(Number(port), '127.0.0.1')
  for (const socket of [client, server]) {
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
  }
  client.once('close', () => server.destroy())
  server.once('close', () => client.destroy())
  let received = ''
  server.on('data', function signIn(chunk) {
    received += chunk.toString('latin1')
    const last = /(?:^|\n)(\d{3}) [^\n]*\r\n$/.exec(received)?.[1]
    if (!last) return
    received = ''
    if (NEXT[last]) return void server.write(NEXT[last])
    server.off('data', signIn)
    if (last !== '235') return void client.destroy()
    client.write('220 bench.test ESMTP\r\n')
    client.once('data', () => {
      client.write('250 bench.test\r\n') // its greeting; the client has already received ours
      client.pipe(server)
      server.pipe(client)
    })
  })
}

process.once('disconnect', () => process.exit()) // the parent process has exited

const listener = createServer(serve)
listener.listen(0, '127.0.0.1', () => process.send!({ port: (listener.address() as AddressInfo).port }))
