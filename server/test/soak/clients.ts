/** The clients of an installation under test, with a record of what was accepted and how long each request took. */
import { deliver } from '../mail-client.ts'
import { type CallOptions, call, eventually, type Reply } from '../service-process.ts'
import type { Installation } from './installation.ts'

/** One in this many emails is requested twice with the same key, as if the client lost its connection. */
const REPEAT_ONE_IN = 10
const FAILURES_SHOWN = 20
const EVENT = 'visit'
/** The audience of campaigns: only contacts that `addContacts` adds, which have such names. */
export const TO_READERS = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: 'reader-' }] }],
}

export type Clients = ReturnType<typeof createClients>

/** `target` is the API process that serves the next request. */
export function createClients(installation: Installation, target: () => string) {
  const { secretKey, publicKey } = installation.firstRun()
  const sent: string[] = []
  const visited: string[] = []
  const campaigns: string[] = []
  const imports: string[] = []
  let importedRows = 0
  let received = 0
  let requests = 0
  const failures: string[] = []
  /** Name → milliseconds, since they were last taken. */
  let latencies = new Map<string, number[]>()

  /** Undefined if it failed, which is recorded. A 4xx is a failure too, except for those expected. */
  async function request(
    name: string,
    method: string,
    url: string,
    { expected = [], ...options }: CallOptions & { expected?: number[] } = {},
  ): Promise<Reply | undefined> {
    requests++
    const from = performance.now()
    try {
      const reply = await call({ baseUrl: target() }, method, url, { key: secretKey, ...options })
      recordLatency(name, performance.now() - from)
      if (reply.status < 400) return reply
      if (!expected.includes(reply.status)) fail(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`)
    } catch (error) {
      const { message, cause } = error as Error
      fail(`${name}: ${message} ${cause ?? ''}`)
    }
  }

  function recordLatency(name: string, ms: number): void {
    const known = latencies.get(name)
    if (known) known.push(ms)
    else latencies.set(name, [ms])
  }

  function fail(what: string): void {
    failures.push(`${new Date().toISOString()} ${what}`)
  }

  async function create(url: string, body: unknown): Promise<Reply['body']> {
    const reply = await request(`POST ${url}`, 'POST', url, { body })
    if (!reply) throw new Error(`Preparing failed. ${failures.at(-1)}`)
    return reply.body
  }

  return {
    failures,
    fail,
    request,
    requests: () => requests,
    sentCount: () => sent.length,
    visitCount: () => visited.length,
    receivedCount: () => received,
    imports,
    campaigns,
    takeLatencies() {
      const taken = latencies
      latencies = new Map()
      return taken
    },

    async addContacts(names: string[]): Promise<void> {
      for (let i = 0; i < names.length; i += 20) {
        const batch = names.slice(i, i + 20)
        await Promise.all(batch.map((email) => create('/contacts', { email, subscribed: true })))
      }
    },

    /** Every visit waits for a few seconds and then calls the receiver of webhooks. */
    async addWorkflow(): Promise<void> {
      const { id } = await create('/workflows', { name: 'Visit', eventName: EVENT, allowReentry: true })
      const wait = await create(`/workflows/${id}/steps`, { type: 'DELAY', config: { amount: 0.1, unit: 'minutes' } })
      const config = { url: installation.webhookUrl, body: { email: '{{email}}' } }
      const webhook = await create(`/workflows/${id}/steps`, { type: 'WEBHOOK', config })
      const shown = await request('GET /workflows/{id}', 'GET', `/workflows/${id}`)
      if (shown?.body.transitions.length === 0)
        await create(`/workflows/${id}/transitions`, { fromStepId: wait.id, toStepId: webhook.id })
      await request('PATCH /workflows/{id}', 'PATCH', `/workflows/${id}`, { body: { enabled: true } })
    },

    async send(to: string): Promise<void> {
      const body = { to, from: 'us@example.com', subject: 'Receipt', body: '<p>Thanks, {{email}}</p>' }
      const options = { body, headers: { 'idempotency-key': to }, expected: [409] }
      const times = sent.length % REPEAT_ONE_IN === 0 ? 2 : 1
      const replies = await Promise.all(
        Array.from({ length: times }, () => request('send', 'POST', '/v1/send', options)),
      )
      if (replies.some((reply) => reply)) sent.push(to)
      else fail(`send: no request for ${to} was accepted`)
    },

    async track(email: string): Promise<void> {
      const body = { email, event: EVENT, data: { page: visited.length } }
      const headers = { 'idempotency-key': email }
      if (await request('track', 'POST', '/v1/track', { body, headers, key: publicKey })) visited.push(email)
    },

    async sendCampaign(audienceCondition: object): Promise<void> {
      const audience = { audienceType: 'FILTERED', audienceCondition }
      const news = { name: `News ${campaigns.length}`, subject: 'News', body: '<p>News</p>', from: 'us@example.com' }
      const campaign = await request('campaign', 'POST', '/campaigns', { body: { ...news, ...audience } })
      if (!campaign) return
      const { id } = campaign.body
      if (await request('campaign', 'POST', `/campaigns/${id}/send`)) campaigns.push(id)
    },

    async importContacts(emails: string[]): Promise<void> {
      const form = new FormData()
      form.append('file', new Blob([['email', ...emails].join('\n')], { type: 'text/csv' }), 'contacts.csv')
      const headers = { authorization: `Bearer ${secretKey}` }
      const reply = await fetch(`${target()}/contacts/import`, { method: 'POST', headers, body: form })
      if (reply.status !== 202) return fail(`import: ${reply.status} ${await reply.text()}`)
      imports.push(((await reply.json()) as { jobId: string }).jobId)
      importedRows += emails.length
    },

    /** A message from outside, over SMTP. */
    async receive(port: number, from: string): Promise<void> {
      const raw = `From: ${from}\r\nTo: shop@example.com\r\nSubject: Hi\r\nMessage-ID: <${from}>\r\n\r\nHello\r\n`
      const replies = await deliver(port, { from, to: ['shop@example.com'], raw })
      if (replies.at(-1)?.startsWith('250')) received++
      else fail(`inbound: ${replies.at(-1)}`)
    },

    /** Waits until everything that was accepted is done. Returns what isn't. */
    async untilDone(withinMs: number): Promise<string[]> {
      const { count } = installation
      const deadline = performance.now() + withinMs
      const steps: Array<[string, () => Promise<boolean>]> = [
        [
          'no email is PENDING or SENDING',
          async () => (await count("select count(*) from emails where status::text in ('PENDING', 'SENDING')")) === 0,
        ],
        [
          'every campaign is SENT',
          async () => (await count("select count(*) from campaigns where status::text <> 'SENT'")) === 0,
        ],
        [
          'every import is COMPLETED',
          async () => {
            const replies = await Promise.all(imports.map((id) => request('import', 'GET', `/contacts/import/${id}`)))
            return replies.every((reply) => reply?.body.status === 'COMPLETED')
          },
        ],
        [
          'every execution has ended',
          async () =>
            (await count("select count(*) from workflow_executions where status::text in ('COMPLETED', 'FAILED')")) ===
            visited.length,
        ],
        [
          'no job is due or has failed',
          async () =>
            (await count(
              `select count(*) from posthorn_queue.jobs
               where locked_by is not null or run_at < now() or attempts >= max_attempts`,
            )) === 0,
        ],
      ]
      const left: string[] = []
      for (const [what, isDone] of steps) {
        const remaining = Math.max(1_000, deadline - performance.now())
        await eventually(what, remaining, isDone).catch((error: Error) => left.push(error.message))
      }
      return left
    },

    /**
     * Returns what was lost, duplicated or miscounted. `interrupted` is how many emails and webhooks a worker was sending when
     * it had to stop: such emails may be sent twice, and such webhooks are not repeated.
     */
    async findErrors(interrupted = 0): Promise<string[]> {
      const { query, count, sink, webhooks } = installation
      const errors: string[] = []
      const expectEqual = (what: string, actual: number, expected: number) => {
        if (actual !== expected) errors.push(`${what}: ${actual} instead of ${expected}`)
      }
      const expectNone = (what: string, rows: unknown[], most = 0) => {
        if (rows.length > most) errors.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`)
      }
      const emails = await query<{ id: string; to_email: string; status: string; campaign_id: string | null }>(
        "select id, to_email, status::text, campaign_id from emails where status::text <> 'RECEIVED'",
      )
      const times = new Map([...sink.accepted].map(([messageId, count]) => [messageId.split('@')[0]!, count]))
      expectNone(
        'emails that the mail server never accepted',
        emails.filter(({ id }) => !times.has(id)),
      )
      expectNone(
        'emails that the mail server accepted more than once',
        [...times].filter(([, count]) => count > 1),
        interrupted,
      )
      expectEqual('messages accepted by the mail server', times.size, emails.length)
      expectNone(
        'emails without an outcome',
        emails.filter(({ status }) => !['SENT', 'DELIVERED'].includes(status)),
      )
      const single = emails.filter((email) => email.campaign_id === null)
      expectEqual('single emails', single.length, sent.length)
      expectNone(
        'recipients of a single email that did not receive exactly one',
        sent.filter((to) => sink.recipients.get(to) !== 1),
        interrupted,
      )
      for (const id of campaigns) {
        const recipients = emails.filter((email) => email.campaign_id === id).map((email) => email.to_email)
        expectEqual(`recipients of campaign ${id}`, new Set(recipients).size, recipients.length)
        const stats = await request('campaign', 'GET', `/campaigns/${id}/stats`)
        expectEqual(`sentCount of campaign ${id}`, stats?.body.sentCount, recipients.length)
      }
      expectEqual('events', await count('select count(*) from events where name = $1', [EVENT]), visited.length)
      expectNone(
        'visitors without exactly one webhook',
        visited.filter((email) => webhooks.get(email) !== 1),
        interrupted,
      )
      const failed = await query<{ error: string }>(
        "select error from workflow_executions where status::text = 'FAILED'",
      )
      expectNone('failed executions', failed, interrupted)
      const inbound = "select count(*) from emails where status::text = 'RECEIVED'"
      expectEqual('received emails', await count(inbound), received)
      const imported = "select count(*) from contacts where email like 'imported-%'"
      expectEqual('imported contacts', await count(imported), importedRows)
      if (failures.length > 0) errors.push(`failed requests: ${failures.length}`, ...failures.slice(0, FAILURES_SHOWN))
      return errors
    },
  }
}
