/** Reading from a store that is slow, or is read slowly. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Storage } from '../../platform/storage/s3.ts'
import { type Storage, StorageUnavailable } from '../../platform/storage/storage.ts'

const IDLE_MS = 1_000

let server: Server
let storage: Storage
/** Set by each test. */
let respond: (response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((_request, response) => respond(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  storage = s3Storage({
    bucket: 'b',
    prefix: '',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'k',
    secretAccessKey: 's',
    sessionToken: '',
    idleMs: IDLE_MS,
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('a file that is read slowly is read to its end', async () => {
  const size = 50 * 65_536
  respond = (response) => response.end(Buffer.alloc(size))
  let read = 0
  for await (const chunk of (await storage.get('slow'))!.content) {
    if (read === 0) await sleep(2 * IDLE_MS) // the reader is busy; the store isn't
    read += (chunk as Buffer).length
  }
  expect(read).toBe(size)
})

it('a store that stops sending is reported as unavailable', async () => {
  respond = (response) => response.write('some bytes')
  const reading = (async () => {
    for await (const _chunk of (await storage.get('stalled'))!.content);
  })()
  await expect(reading).rejects.toThrow(StorageUnavailable)
})

it('a store that does not respond is reported as unavailable', async () => {
  respond = () => undefined
  await expect(storage.get('silent')).rejects.toThrow(StorageUnavailable)
})
