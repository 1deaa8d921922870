/** A TCP proxy on 127.0.0.1, such as a load balancer or an address that leads to the current primary server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The target is chosen for each connection; without one, the connection is closed. */
export async function openProxy(target: () => number | undefined) {
  const sockets = new Set<Socket>()
  /** Client → the server that it is connected to. */
  const servers = new Map<Socket, Socket>()
  const silent = new Set<Socket>()
  let lost: { request: string; isMade: boolean } | undefined
  const proxy = createServer((client) => {
    const port = target()
    if (port === undefined) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    servers.set(client, server)
    client.on('close', () => servers.delete(client))
    client.on('data', (bytes) => {
      if (lost && bytes.includes(lost.request)) lost.isMade = true
    })
    server.on('data', () => {
      if (!lost?.isMade) return
      lost = undefined
      server.unpipe(client)
      client.destroy()
    })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && !silent.has(to) && to.destroy())
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
    /** As if the server's machine had failed: nothing tells the clients, and what they send gets no reply. */
    silenceConnections() {
      for (const [client, server] of servers) {
        silent.add(client.unpipe().pause())
        server.unpipe().destroy()
      }
    },
    /** The reply to the next request with this text doesn't reach the client, whose connection breaks instead. */
    loseReplyTo(request: string) {
      lost = { request, isMade: false }
    },
    close() {
      closeConnections()
      proxy.close()
    },
  }
}

export type TcpProxy = Awaited<ReturnType<typeof openProxy>>
