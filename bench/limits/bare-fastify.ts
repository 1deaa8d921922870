/** Fastify alone in a separate process, as the reference for requests, start and memory. */
import path from 'node:path'
import { type Child, freePort, startChild } from '../child.ts'

export async function startBareFastify(dataDir: string): Promise<Child & { url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    command: [process.execPath, path.join(import.meta.dirname, 'fastify-alone.mjs')],
    env: { PORT: String(port) },
    logFile: path.join(dataDir, 'bare-fastify.log'),
    readyUrl: `${url}/ready`,
  })
  return { ...child, url }
}
