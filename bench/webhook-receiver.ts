/**
 * A webhook receiver in a separate process that responds with 204 and stores nothing. Forked by suites/webhooks.ts. It
 * reports its port, and the number of requests when it is asked.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let requests = 0

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    requests++
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send!({ requests }))
process.on('disconnect', () => process.exit())
