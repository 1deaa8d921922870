/** A TCP proxy on 127.0.0.1, such as a load balancer or an address that leads to the current primary server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The target is chosen for each connection; without one, the connection is closed. */
export async function openProxy(target: () => number | undefined) {
  const sockets = new Set<Socket>()
  let losesReply = false
  const proxy = createServer((client) => {
    const port = target()
    if (port === undefined) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    server.on('data', () => {
      if (!losesReply) return
      losesReply = false
      server.unpipe(client)
      client.destroy()
    })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && to.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    closeConnections,
    /** The next reply of a server doesn't reach its client, whose connection breaks instead. */
    loseNextReply() {
      losesReply = true
    },
    close() {
      closeConnections()
      proxy.close()
    },
  }
}

export type TcpProxy = Awaited<ReturnType<typeof openProxy>>
