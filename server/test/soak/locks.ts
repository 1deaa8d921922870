/**
 * A whole table is locked for a minute while requests and a campaign are in progress, one table after another.
 * Each request succeeds or returns 503 with Retry-After in time, everything that was accepted is done once, and work resumes
 * without a restart.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { call } from '../service-process.ts'
import { createClients, TO_READERS } from './clients.ts'
import { type Installation, inInstallation } from './installation.ts'

const TABLES = ['contacts', 'emails', 'events', 'posthorn_queue.jobs']
const LOCK_MS = 60_000
const READERS = 1_000
const CLIENTS = 3
/** `call` gives up after this time. A statement waits for a lock for 15 seconds, and at most once more for its turn. */
const ANSWERS_WITHIN_MS = 30_000
const RESUMES_WITHIN_MS = 60_000
const FINISHES_WITHIN_MS = 180_000

async function run(installation: Installation): Promise<string[]> {
  const api = await installation.start({ ROLE: 'api' })
  for (let worker = 0; worker < 2; worker++) await installation.start({ ROLE: 'worker' })
  const clients = createClients(installation, () => api.baseUrl)
  await clients.addContacts(Array.from({ length: READERS }, (_, i) => `reader-${i}@example.org`))
  const { secretKey } = installation.firstRun()
  const errors: string[] = []
  const sent: string[] = []
  const refused: string[] = []
  let slowest = 0
  let isOver = false

  async function send(to: string): Promise<boolean> {
    const from = performance.now()
    const body = { to, from: 'us@example.com', subject: 'Receipt', body: '<p>Thanks</p>' }
    const reply = await call(api, 'POST', '/v1/send', { key: secretKey, body }).catch((error: Error) => {
      errors.push(`no response for ${to} within ${ANSWERS_WITHIN_MS} ms: ${error.message}`)
    })
    slowest = Math.max(slowest, performance.now() - from)
    if (reply?.status === 200) sent.push(to)
    else if (reply?.status === 503 && Number(reply.headers.get('retry-after')) > 0) refused.push(to)
    else if (reply) errors.push(`a request got ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply?.status === 200
  }

  const traffic = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = 0; !isOver; i++) {
      await send(`customer-${client}-${i}@example.org`)
      await sleep(50)
    }
  })
  try {
    for (const table of TABLES) {
      await clients.sendCampaign(TO_READERS)
      const before = { sent: sent.length, refused: refused.length }
      const holder = new pg.Client({ connectionString: installation.databaseUrl })
      await holder.connect()
      await holder.query(`begin; lock table ${table} in access exclusive mode`)
      await sleep(LOCK_MS)
      await holder.end()
      const unlockedAt = performance.now()
      while (!(await send(`after-${table}-${Math.round(performance.now())}@example.org`))) {
        if (performance.now() - unlockedAt > RESUMES_WITHIN_MS) throw new Error(`Requests are refused after ${table}.`)
        await sleep(500)
      }
      console.log(
        `${table} was locked: ${refused.length - before.refused} requests refused, ${sent.length - before.sent} accepted, ` +
          `accepted again after ${((performance.now() - unlockedAt) / 1_000).toFixed(1)} s`,
      )
    }
  } finally {
    isOver = true
    await Promise.all(traffic)
  }
  errors.push(...(await clients.untilDone(FINISHES_WITHIN_MS)))
  const rows = await installation.query<{ id: string; to_email: string; campaign_id: string | null }>(
    'select id, to_email, campaign_id from emails',
  )
  const times = new Map([...installation.sink.accepted].map(([messageId, count]) => [messageId.split('@')[0]!, count]))
  const notOnce = rows.filter(({ id }) => times.get(id) !== 1)
  if (notOnce.length > 0) errors.push(`emails that were not sent exactly once: ${notOnce.length}`)
  const single = rows.filter(({ campaign_id }) => campaign_id === null).map(({ to_email }) => to_email)
  const lost = sent.filter((to) => !single.includes(to))
  if (lost.length > 0) errors.push(`accepted emails that were lost: ${lost.length}, such as ${lost[0]}`)
  const kept = single.filter((to) => refused.includes(to))
  if (kept.length > 0) errors.push(`refused emails that were sent: ${kept.length}, such as ${kept[0]}`)
  if (rows.length - single.length !== TABLES.length * READERS) errors.push('a campaign has too few or too many emails')
  console.log(
    `${sent.length} requests accepted, ${refused.length} refused, the slowest after ${(slowest / 1_000).toFixed(1)} s.`,
  )
  return [...errors, ...clients.failures]
}

await inInstallation(run)
