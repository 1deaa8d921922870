/** An installation of several real processes on its own PostgreSQL, with a mail server and a receiver of webhooks. */
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import type { FirstRun } from '../../platform/first-run-file.ts'
import { openMailSink } from '../delivery/mail-sink.ts'
import { startDnsServer } from '../dns-server.ts'
import { type LaunchOptions, type ServiceProcess, startService } from '../service-process.ts'

/** Connections of each worker to the mail server: this many emails can be sent twice if it is stopped while sending. */
export const CONNECTIONS_MAX = 10

export type Installation = Awaited<ReturnType<typeof openInstallation>>

export async function openInstallation() {
  const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-soak-'))
  const sink = await openMailSink()
  const dns = await startDnsServer({})
  dns.setFailure('*', 'servfail') // the verified domain has no records, so it would be lost after three checks
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(home, 'server') })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, application_name: 'soak' })
  pool.on('error', () => undefined)
  const started: ServiceProcess[] = []

  /** Contact → how many requests were received for it. */
  const webhooks = new Map<string, number>()
  const receiver = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const { email } = JSON.parse(text) as { email: string }
      webhooks.set(email, (webhooks.get(email) ?? 0) + 1)
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))

  return {
    sink,
    webhooks,
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    databaseUrl: postgres.url,
    async start(env: Record<string, string>, options?: LaunchOptions): Promise<ServiceProcess> {
      const service = await startService(
        {
          DATA_DIR: path.join(home, 'data'),
          DATABASE_URL: postgres.url,
          PORT: '0',
          DNS_SERVERS: dns.address,
          RATE_LIMIT_PER_MINUTE: '0',
          WEBHOOK_ALLOW_PRIVATE: 'true',
          ...(env.ROLE === 'worker' && { MAIL_URL: `${sink.url}&pool=${CONNECTIONS_MAX}` }),
          ...env,
        },
        options,
      )
      started.push(service)
      return service
    },
    firstRun: (): FirstRun => JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')),
    query: async <Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> =>
      (await pool.query<Row>(statement, values)).rows,
    count: async (statement: string, values: unknown[] = []): Promise<number> =>
      Number((await pool.query<{ count: string }>(statement, values)).rows[0]!.count),
    async close(): Promise<void> {
      await Promise.all(started.map((service) => service.isRunning() && service.stop()))
      receiver.closeAllConnections()
      receiver.close()
      sink.close()
      await dns.close()
      await pool.end()
      await postgres.stop()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Runs a part of the soak in a new installation. It returns what went wrong. */
export async function inInstallation(run: (installation: Installation) => Promise<string[]>): Promise<void> {
  const installation = await openInstallation()
  try {
    const errors = await run(installation)
    for (const error of errors) console.log(`FAILED: ${error}`)
    if (errors.length > 0) process.exitCode = 1
  } finally {
    await installation.close()
  }
}
