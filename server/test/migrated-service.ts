/** A service on a migrated database of the test run: starts in half the processor time of one that creates its own PostgreSQL. */
import { inject } from 'vitest'
import { type ServiceProcess, startService } from './service-process.ts'
import { createTestDatabase } from './test-databases.ts'

/** For tests of what a service does, not of its start. The database is dropped when the service stops. */
export async function startMigratedService(env: Record<string, string>): Promise<ServiceProcess> {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  const service = await startService({ DATABASE_URL: url, ...env })
  return {
    ...service,
    async stop() {
      const exit = await service.stop()
      await drop()
      return exit
    },
  }
}
