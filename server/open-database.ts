/** The database of this installation for a command beside the service: also the embedded one while the service runs it. */
import type { Settings } from './config.ts'
import { DataDirInUse, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { readCredentials, SERVICE_NAME } from './platform/database/embedded-postgres-cluster.ts'

export async function withDatabaseUrl<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL) return work(settings.DATABASE_URL)
  const embedded = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR }).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return undefined
    throw error
  })
  if (!embedded) {
    const { password, port } = await readCredentials(settings.DATA_DIR)
    return work(`postgres://${SERVICE_NAME}:${password}@127.0.0.1:${port}/${SERVICE_NAME}`)
  }
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}
