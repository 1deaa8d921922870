/** Opens the database of this installation for a command, including the embedded one while the service runs. */

import { readCredentials, SERVICE_NAME } from '../platform/database/embedded/cluster.ts'
import { DataDirInUse, startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.ts'
import type { Settings } from '../settings/config.ts'

export async function withDatabaseUrl<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL) return work(settings.DATABASE_URL)
  const canceled = new AbortController()
  const start = startEmbeddedPostgres({ dataDir: settings.DATA_DIR, canceled: canceled.signal })
  const stopAndExit = async () => {
    canceled.abort()
    await start.then((postgres) => postgres.stop()).catch(() => undefined)
    process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, stopAndExit)
  try {
    const postgres = await start.catch((error: unknown) => {
      if (error instanceof DataDirInUse) return undefined
      throw error
    })
    if (!postgres) return await work(await runningUrl(settings.DATA_DIR))
    return await work(postgres.url).finally(() => postgres.stop())
  } finally {
    for (const signal of SIGNALS) process.off(signal, stopAndExit)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function runningUrl(dataDir: string): Promise<string> {
  const { password, port } = await readCredentials(dataDir)
  return `postgres://${SERVICE_NAME}:${password}@127.0.0.1:${port}/${SERVICE_NAME}`
}
