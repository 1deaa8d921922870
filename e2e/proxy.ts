/** A proxy that puts a service below a path, as people do with nginx: the path is taken off on the way. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startProxy(target: string, below: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${below}/`)) return outgoing.writeHead(404).end()
    const path = incoming.url.slice(below.length)
    const onward = request({ hostname, port, path, method: incoming.method, headers: incoming.headers }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
