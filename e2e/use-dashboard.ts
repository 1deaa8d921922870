/** A dashboard for the tests of a file, and a new page for each of them. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openDashboard } from './dashboard.ts'

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>

export type OpenedPage = Awaited<ReturnType<Dashboard['openPage']>>

/** `onOpen` is called before each test. */
export function useDashboard(onOpen: (opened: OpenedPage, dashboard: Dashboard) => void): void {
  let dashboard: Dashboard | undefined

  beforeAll(async () => {
    dashboard = await openDashboard()
  }, 240_000)
  afterAll(() => dashboard?.close(), 60_000)

  beforeEach(async () => {
    const opened = await dashboard!.openPage()
    onOpen(opened, dashboard!)
    return () => opened.context.close()
  })
}
