/** Writes a response to a file or to the standard output as it arrives, so that its size doesn't matter. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asError, PosthornFailure } from '../sdk/errors.ts'
import type { Connection } from './connection.ts'
import { CommandError, UsageError } from './errors.ts'

export async function download({ url, key }: Connection, path: string, file: string | undefined): Promise<void> {
  const response = await fetch(url.replace(/\/$/, '') + path, { headers: { authorization: `Bearer ${key}` } }).catch(
    () => {
      throw new CommandError(`${url} does not respond. Check the URL, and whether the service is running.`)
    },
  )
  if (!response.ok || !response.body) {
    throw new PosthornFailure(asError(await response.json().catch(() => undefined), response))
  }
  const content = Readable.fromWeb(response.body as never)
  if (file === undefined) return write(content, process.stdout, 'the standard output')
  // Under its own name only when it is complete.
  const draft = `${file}.part`
  try {
    await write(content, createWriteStream(draft), file)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function write(content: Readable, target: Writable, name: string): Promise<void> {
  try {
    await pipeline(content, target, { end: target !== process.stdout })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') return // such as `| head`
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new UsageError(`${name} can't be written: ${message}`)
    throw new CommandError(`The download stopped before its end: ${message}. Run the command again.`)
  }
}
