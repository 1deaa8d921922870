/** What the suite `growth` times: the requests, each with how it may grow. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Client as HttpClient } from 'undici'
import { encodeCursor } from '../../../server/kernel/pages.ts'
import type { Service } from '../../service.ts'
import { contactIdOf, emailOf } from './fill.ts'

const LOOK_EVERY_MS = 2
const FROZEN_WITHIN_MS = 600_000

export interface TimedRequest {
  name: string
  /** `flat` doesn't depend on the size; `linear` reads all contacts; `unused` is a reference. */
  growth: 'flat' | 'linear' | 'unused'
  turns: number
  warmUp: number
  /** Returns how long it took, in milliseconds. */
  run(): Promise<number>
}

export interface Project {
  client: pg.Client
  projectId: string
  segmentId: string
  /** With the secret key, or with the public key for paths that need it. */
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ id: string }>
  close(): Promise<void>
}

/** Requests over one connection with little overhead: fetch takes longer for a request than the service does. */
export async function openProject(service: Service, client: pg.Client): Promise<Project> {
  const http = new HttpClient(service.url, { bodyTimeout: 0, headersTimeout: 0 })
  const { projectId, secretKey, publicKey } = service.keys
  const request: Project['request'] = async (method, path, body) => {
    const reply = await http.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${path === '/v1/track' ? publicKey : secretKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (reply.statusCode >= 300)
      throw new Error(`${path} responded with ${reply.statusCode}: ${await reply.body.text()}`)
    return (await reply.body.json()) as { id: string }
  }
  const filters = [
    { field: 'data.plan', operator: 'equals', value: 'pro' },
    { field: 'data.age', operator: 'greaterThan', value: 40 },
  ]
  const segment = { name: 'Pro', condition: { logic: 'AND', groups: [{ filters }] } }
  const { id: segmentId } = await request('POST', '/segments', segment)
  return { client, projectId, segmentId, request, close: () => http.close() }
}

export async function timedRequests(project: Project, contacts: number): Promise<TimedRequest[]> {
  const { request, segmentId } = project
  const some = Math.floor(contacts / 2)
  const contactId = contactIdOf(some)
  const middle = encodeCursor(contactId)
  const [event, email] = [await middleOf(project, 'events'), await middleOf(project, 'emails')]
  let turn = 0
  const another = () => emailOf((some + turn++ * 7) % contacts)

  const timed = (name: string, growth: TimedRequest['growth'], turns: number, run: () => Promise<unknown>) => ({
    name,
    growth,
    turns,
    warmUp: Math.ceil(turns / 4),
    run: () => millisecondsOf(run),
  })
  const flat = (name: string, path: string) => timed(name, 'flat', 40, () => request('GET', path))
  return [
    timed('a request that reads nothing', 'unused', 200, () => request('GET', '/config')),
    flat('contacts, first page', '/contacts'),
    flat('contacts, page in the middle', `/contacts?cursor=${middle}`),
    flat('contacts by address, page in the middle', `/contacts?sort=email&cursor=${middle}`),
    flat('contacts, exact address', `/contacts?email=${emailOf(some)}`),
    flat('contacts, search for an address', `/contacts?search=${emailOf(some)}`),
    flat('contacts, search for part of an address', `/contacts?search=user${some}@`),
    flat('contacts, unsubscribed', '/contacts?subscribed=false'),
    flat('timeline of a contact', `/contacts/${contactId}/timeline`),
    flat('emails, first page', '/emails'),
    flat('emails, page in the middle', `/emails?cursor=${email}`),
    flat('emails, bounced', '/emails?status=BOUNCED'),
    flat('emails of a contact', `/emails?contactId=${contactId}`),
    flat('emails, search for an address', `/emails?search=${emailOf(some)}`),
    flat('events, first page', '/events'),
    flat('events, page in the middle', `/events?cursor=${event}`),
    flat('events of one name', '/events?name=event-39'),
    flat('event counts', '/events/stats'),
    flat('activity, first page', '/activity'),
    flat('activity, page in the middle', `/activity?cursor=${event}`),
    flat('activity counts', '/activity/stats'),
    flat('analytics by day', '/analytics/timeseries'),
    flat('analytics, top events', '/analytics/top-events'),
    timed('POST /v1/track', 'flat', 200, () =>
      request('POST', '/v1/track', { email: another(), event: 'page.viewed', data: { visits: turn } }),
    ),
    timed('POST /v1/send', 'flat', 200, () =>
      request('POST', '/v1/send', {
        to: another(),
        from: 'shop@example.com',
        subject: 'Your order',
        body: '<p>Thanks</p>',
      }),
    ),
    timed('segment, count', 'linear', 5, () => request('POST', `/segments/${segmentId}/refresh`)),
    timed('segment, first page', 'linear', 5, () => request('GET', `/segments/${segmentId}/contacts`)),
    { name: 'campaign, freezing the audience', growth: 'linear', turns: 3, warmUp: 1, run: () => freeze(project) },
  ]
}

/** The cursor of the page after the row in the middle of the time that the rows cover. */
async function middleOf({ client, projectId }: Project, table: 'events' | 'emails'): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${table} where project_id = $1 and id > first_id_at(now() - interval '14 days') order by id limit 1`,
    [projectId],
  )
  return encodeCursor(rows[0]!.id)
}

/** From the request that sends a campaign until its recipients are stored. Then it is canceled. */
async function freeze({ client, projectId, request }: Project): Promise<number> {
  const { id } = await request('POST', '/campaigns', {
    name: 'News',
    subject: 'News',
    body: '<p>Hello</p>',
    from: 'news@example.com',
    audienceType: 'ALL',
  })
  const ms = await millisecondsOf(async () => {
    await request('POST', `/campaigns/${id}/send`)
    for (
      const deadline = performance.now() + FROZEN_WITHIN_MS;
      performance.now() < deadline;
      await sleep(LOOK_EVERY_MS)
    ) {
      const { rows } = await client.query('select frozen_at from campaigns where project_id = $1 and id = $2', [
        projectId,
        id,
      ])
      if (rows[0].frozen_at !== null) return
    }
    throw new Error('The recipients of the campaign were not stored in time.')
  })
  await request('POST', `/campaigns/${id}/cancel`)
  await client.query('delete from campaign_recipients where project_id = $1 and campaign_id = $2', [projectId, id])
  return ms
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
