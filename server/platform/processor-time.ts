/** How long a thread has computed, on systems that tell: unlike the clock, it stands still while other programs use the processor. */
import { readFileSync, readlinkSync } from 'node:fs'

/** Where Linux tells about the thread that calls this. Other systems have no such folder. */
export function threadFolder(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}`
  } catch {
    return undefined
  }
}

export function processorMsOf(folder: string | undefined): number | undefined {
  if (folder === undefined) return undefined
  try {
    const nanoseconds = /^\d+/.exec(readFileSync(`${folder}/schedstat`, 'utf8'))
    return nanoseconds ? Number(nanoseconds[0]) / 1e6 : undefined
  } catch {
    return undefined
  }
}
