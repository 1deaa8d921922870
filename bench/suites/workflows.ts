/**
 * Workflows: how fast executions of three steps (condition, update, exit) run, whether a backlog grows if a thousand
 * events a second start one each, and what a hundred thousand waiting executions cost POST /v1/track.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { watchCores } from '../cores.ts'
import { load } from '../load/load.ts'
import { median } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import {
  atLeast,
  PROCESSOR_COLUMNS,
  printTable,
  ratio,
  showBars,
  showParts,
  showUnit,
  tenths,
  under,
  whole,
} from '../report.ts'
import { type Service, startService, waitForIdleQueue } from '../service.ts'
import { tracking } from '../traffic.ts'

const STOCK = 10_000
const EVENTS_PER_SECOND = 1_000
const PACED_SECONDS = 10
const WAITING = 100_000
const ROUNDS = 5
const CONNECTIONS = 32
const DONE_WITHIN_MS = 120_000

const CONDITION = { field: 'data.plan', operator: 'equals', value: 'pro' }

export async function benchWorkflows(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await benchStock(service, client)
    await benchPaced(service, client)
    await benchWaiting(service, client)
  } finally {
    await client.end()
    await service.stop()
  }
}

async function drawWorkflow(service: Service, eventName: string): Promise<string> {
  const { id } = await call(service, 'POST', '/workflows', { name: eventName, eventName, allowReentry: true })
  const steps = [
    ['CONDITION', CONDITION],
    ['UPDATE_CONTACT', { updates: { greeted: true } }],
    ['EXIT', {}],
  ] as const
  const ids: string[] = []
  for (const [type, config] of steps) {
    ids.push((await call(service, 'POST', `/workflows/${id}/steps`, { type, config })).id)
  }
  const link = (from: number, to: number, branch?: string) =>
    call(service, 'POST', `/workflows/${id}/transitions`, { fromStepId: ids[from], toStepId: ids[to], branch })
  await link(0, 1, 'yes')
  await link(1, 2)
  await call(service, 'PATCH', `/workflows/${id}`, { enabled: true })
  return id
}

const countEnded = async (client: pg.Client, workflowId: string): Promise<number> =>
  Number(
    (
      await client.query(`select count(*) from workflow_executions where workflow_id = $1 and status = 'EXITED'`, [
        workflowId,
      ])
    ).rows[0].count,
  )

async function waitForEnded(client: pg.Client, workflowId: string, wanted: number): Promise<void> {
  const deadline = performance.now() + DONE_WITHIN_MS
  while ((await countEnded(client, workflowId)) < wanted) {
    if (performance.now() > deadline) throw new Error(`Not ${wanted} executions within ${DONE_WITHIN_MS / 1000} s.`)
    await sleep(50)
  }
}

/** Many events at once, so that the worker is fully loaded. */
async function benchStock(service: Service, client: pg.Client): Promise<void> {
  const workflowId = await drawWorkflow(service, 'stock')
  await client.query(
    `with people as (
       insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
       select $1, gen_random_uuid(), 'stock' || i || '@example.org', true, true, '{"plan": "pro"}', now(), now()
       from generate_series(1, $2::int) i returning id
     )
     insert into events (project_id, id, name, contact_id, created_at) select $1, id, 'stock', id, now() from people`,
    [service.keys.projectId, STOCK],
  )
  const coresSoFar = watchCores(service.parties)
  const processorSoFar = watchProcessor(service.parties)
  const startedAt = performance.now()
  await waitForEnded(client, workflowId, STOCK)
  const perSecond = STOCK / ((performance.now() - startedAt) / 1000)
  const processor = processorSoFar(STOCK)
  const cores = Object.values(coresSoFar()).reduce((sum, busy) => sum + busy, 0)
  printTable(
    `${whole(STOCK)} executions of three steps, from a backlog`,
    ['', ...PROCESSOR_COLUMNS, 'executions/s', 'cores busy', 'per busy core', 'target'],
    [
      [
        'run-workflow-step',
        ...showUnit(processor),
        whole(perSecond),
        tenths(cores),
        whole(perSecond / cores),
        showBars([atLeast(perSecond, EVENTS_PER_SECOND, 'executions/s')]),
      ],
    ],
  )
  console.log(showParts('an execution', processor))
}

async function benchPaced(service: Service, client: pg.Client): Promise<void> {
  const workflowId = await drawWorkflow(service, 'paced')
  const total = EVENTS_PER_SECOND * PACED_SECONDS
  const startedAt = performance.now()
  const backlogs: number[] = []
  const sending: Array<Promise<unknown>> = []
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * EVENTS_PER_SECOND))
    for (; sent < due; sent++) sending.push(track(service, `paced${sent}@example.org`))
    if (due / EVENTS_PER_SECOND > backlogs.length + 1) backlogs.push(sent - (await countEnded(client, workflowId)))
    await sleep(10)
  }
  await Promise.all(sending)
  const sentSeconds = (performance.now() - startedAt) / 1000
  await waitForEnded(client, workflowId, total)
  const lateSeconds = (performance.now() - startedAt) / 1000 - sentSeconds
  const half = backlogs.length >> 1
  const growth = median(backlogs.slice(half)) - median(backlogs.slice(0, half))
  printTable(
    `${whole(total)} events through /v1/track, ${whole(EVENTS_PER_SECOND)} a second, each starts one`,
    ['', 'accepted/s', 'backlog', 'growth', 'last done after s', 'target'],
    [
      [
        'POST /v1/track',
        whole(total / sentSeconds),
        whole(median(backlogs)),
        whole(growth),
        tenths(lateSeconds),
        showBars([under(growth, EVENTS_PER_SECOND, 'growth'), under(lateSeconds, 2, 's')]),
      ],
    ],
  )
}

/** An idle connection may be closed just as it is used again; then the request is repeated once. */
const track = (service: Service, email: string): Promise<void> =>
  trackOnce(service, email).catch(() => trackOnce(service, email))

async function trackOnce(service: Service, email: string): Promise<void> {
  const reply = await fetch(`${service.url}/v1/track`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.publicKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, event: 'paced', data: { plan: 'pro' } }),
  })
  if (!reply.ok) throw new Error(`/v1/track responded with ${reply.status}`)
  await reply.arrayBuffer()
}

/** In alternation with and without waiting executions, so that noise affects both. */
async function benchWaiting(service: Service, client: pg.Client): Promise<void> {
  const workflowId = await drawWorkflow(service, 'waiting')
  const none: number[] = []
  const many: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    none.push(await measureTrack(service, `none-${round}`))
    await fillWaiting(client, service.keys.projectId, workflowId)
    many.push(await measureTrack(service, `many-${round}`))
    await client.query('delete from workflow_executions where workflow_id = $1', [workflowId])
    await client.query('vacuum workflow_executions')
  }
  const [before, after] = [median(none), median(many)]
  printTable(
    `POST /v1/track with ${whole(WAITING)} waiting executions, median of ${ROUNDS} turns`,
    ['', 'requests/s', 'ratio', 'target'],
    [
      ['without waiting executions', whole(before), '1.00', ''],
      [
        `with ${whole(WAITING)} waiting`,
        whole(after),
        ratio(after, before),
        showBars([atLeast(after / before, 0.9, 'ratio')]),
      ],
    ],
  )
}

async function fillWaiting(client: pg.Client, projectId: string, workflowId: string): Promise<void> {
  await client.query(
    `insert into workflow_executions (project_id, id, workflow_id, contact_id, status, only_once, seen_up_to, awaited_event,
       resume_at, started_at, created_at, updated_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'WAITING', true, gen_random_uuid(), 'never',
       now() + interval '30 days' * random() + interval '1 day', now(), now(), now()
     from generate_series(1, $3::int)`,
    [projectId, workflowId, WAITING],
  )
  await client.query('analyze workflow_executions')
}

async function measureTrack(service: Service, round: string): Promise<number> {
  await waitForIdleQueue(service)
  const plan = {
    url: `${service.url}${tracking.path}`,
    headers: { authorization: `Bearer ${service.keys.publicKey}`, 'content-type': 'application/json' },
    bodies: tracking.bodies(CONNECTIONS, round),
    warmUpSeconds: 1,
    seconds: 3,
  }
  return (await load(plan, service.parties)).perSecond
}

// biome-ignore lint/suspicious/noExplicitAny: replies of several shapes, looked at field by field.
async function call(service: Service, method: string, path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  if (!reply.ok) throw new Error(`${path} responded with ${reply.status}: ${await reply.text()}`)
  return reply.json()
}
