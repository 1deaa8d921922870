/** A dashboard for the tests of a file, and a new page for each of them. */
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { createTestDatabase } from '../server/test/test-databases.ts'
import { openDashboard } from './dashboard.ts'

export type Dashboard = Awaited<ReturnType<typeof openTestDashboard>>

export type OpenedPage = Awaited<ReturnType<Dashboard['openPage']>>

/** On the PostgreSQL of the test run, because creating another one takes longer than most tests. */
export async function openTestDashboard(settings: Record<string, string> = {}) {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  const dashboard = await openDashboard({ DATABASE_URL: url, ...settings })
  return {
    ...dashboard,
    async close() {
      await dashboard.close()
      await drop()
    },
  }
}

/** `onOpen` is called before each test. */
export function useDashboard(onOpen: (opened: OpenedPage, dashboard: Dashboard) => void): void {
  let dashboard: Dashboard | undefined

  beforeAll(async () => {
    dashboard = await openTestDashboard()
  }, 240_000)
  afterAll(() => dashboard?.close(), 60_000)

  beforeEach(async () => {
    const opened = await dashboard!.openPage()
    onOpen(opened, dashboard!)
    return () => opened.close()
  })
}
