/** A reverse proxy that serves the service below a path and strips the path, as nginx often does. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startProxy(target: string, prefix: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end()
    const path = incoming.url.slice(prefix.length)
    const upstream = request({ hostname, port, path, method: incoming.method, headers: incoming.headers }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(outgoing)
    })
    upstream.on('error', () => outgoing.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
