/** A dashboard for the tests of a file, and a new page for each of them. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { createTestDatabase } from '../server/test/test-databases.ts'
import { printPage } from './browser.ts'
import { dashboardFor, type Installation, openDashboard, post, startInstallation, WIDE } from './dashboard.ts'
import { openDatabase } from './mailbox.ts'
import { share } from './share.ts'

export type Dashboard = ReturnType<typeof dashboardFor> & { close(): Promise<void> }

export type OpenedPage = Awaited<ReturnType<Dashboard['openPage']>>

/** Opens that of a service of its own, for files that need settings or change the installation. */
export async function openTestDashboard(settings: Record<string, string> = {}): Promise<Dashboard> {
  // On the PostgreSQL of the test run, because creating another one takes longer than most tests.
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

const sharedInstallation = share(
  async () => {
    const { url, drop } = await createTestDatabase(inject('postgresUrl'))
    return { ...(await startInstallation({ DATABASE_URL: url })), drop }
  },
  async ({ stop, drop }) => {
    await stop()
    await drop()
  },
)

/** Opens that of a new account with one project, in the service that the test files of a process share. */
export async function openSharedDashboard(): Promise<Dashboard> {
  const installation = await sharedInstallation.acquire()
  const { contexts, service } = installation
  const { context } = await contexts.open(WIDE)
  const email = `owner-${randomBytes(6).toString('hex')}@example.com`
  const password = randomBytes(12).toString('base64url')
  await post(context, `${service.baseUrl}/auth/signup`, { email, password })
  const created = await post(context, `${service.baseUrl}/users/@me/projects`, { name: 'My project' })
  const owner = { email, password, projectId: created.id, publicKey: created.public, secretKey: created.secret }
  const cookies = await context.cookies()
  await contexts.release(context)
  await copyVerifiedDomain(installation, owner.projectId)
  return { ...dashboardFor(installation, owner, cookies), close: async () => sharedInstallation.release() }
}

/** The sender domain of the first start, which is verified without asking DNS. */
async function copyVerifiedDomain({ databaseUrl, owner }: Installation, projectId: string): Promise<void> {
  const database = await openDatabase(databaseUrl)
  await database.query(
    `insert into domains
      select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'project_id', $2::text))).*
      from domains one where project_id = $1`,
    [owner.projectId, projectId],
  )
  await database.end()
}

/** `onOpen` is called before each test. */
export function useDashboard(onOpen: (opened: OpenedPage, dashboard: Dashboard) => void): void {
  let dashboard: Dashboard | undefined

  beforeAll(async () => {
    dashboard = await openSharedDashboard()
  })
  afterAll(() => dashboard?.close())

  beforeEach(async ({ task }) => {
    const opened = await dashboard!.openPage()
    onOpen(opened, dashboard!)
    return async () => {
      if (task.result?.state === 'fail') await printPage(opened.page)
      await opened.close()
    }
  })
}
