/**
 * Makes the requests of deliveries, in every process that runs jobs but not as jobs: an endpoint that doesn't respond
 * holds no place in the queue. One process at a time sends to a host, with up to 10 requests to an endpoint and 50 to the
 * host, of which one project uses at most 40. It reads deliveries as it needs them, so memory doesn't depend on the backlog.
 */
import type { Context } from '../../../context.ts'
import { createLane, type Lane } from '../../../kernel/flow/lane.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { countWebhook } from '../../../platform/metrics.ts'
import type { PublicClient } from '../../../platform/network/public-client.ts'
import { FetchFailure } from '../../../platform/network/public-fetch.ts'
import { recordAuditEntry } from '../../record/audit/actions.ts'
import { enqueueNotices, webhookDisabledNotice } from '../../record/notices/actions.ts'
import { listManagers } from '../../tenants/members/actions.ts'
import * as deliveries from './delivery-queries.ts'
import { disableEndpoint, findEndpoint } from './queries.ts'
import { type Facts, payloadOf, signedHeaders } from './request.ts'
import { validSecrets } from './secrets.ts'

const POLL_MS = 500
const PER_ENDPOINT = 10
const PER_HOST = 50
/** So that slow endpoints of one project leave places for those of others on the same host. */
const PER_HOST_AND_PROJECT = 40
const READ_AT_ONCE = 200
/** How long a finished attempt waits for others to be recorded with. */
const GATHER_MS = 25
/** Attempts that were made and are not recorded yet, of one endpoint. */
const UNRECORDED_MAX = 200
const TIMEOUT_MS = 15_000
const REPLY_BYTES_MAX = 65_536
const RESPONSE_BYTES_MAX = 4_096
const GONE = 410
const FAILING_MS = 5 * 24 * 3600_000
const JITTER = 0.1
const STOP_WITHIN_MS = 4_000

export interface SignedRequest {
  projectId: string
  eventId: string
  eventType: string
  eventAt: Date
  facts: Facts | null
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

export function createWebhookSender(ctx: Context) {
  const sender = ctx.workerLock ?? 0
  /** Where requests in progress have their places. */
  const hosts = new Map<string, { all: Lane; projects: Map<string, Lane> }>()
  /** Endpoints with deliveries in progress. `readAgain` starts on what was added meanwhile. */
  const busy = new Map<string, { host: string; done: Promise<void>; readAgain(): void }>()
  /** The places of tests, by endpoint. */
  const tests = new Map<string, Lane>()
  let client: Promise<PublicClient> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  const openClient = () => {
    client ??= import('../../../platform/network/public-client.ts').then(({ createPublicClient }) =>
      createPublicClient({
        allowPrivate: ctx.settings.WEBHOOK_ALLOW_PRIVATE,
        timeoutMs: TIMEOUT_MS,
        replyBytesMax: REPLY_BYTES_MAX,
      }),
    )
    return client
  }

  const record = createBatcher(
    async (outcomes: deliveries.Outcome[]) => {
      const failing = await deliveries.recordOutcomes(ctx.db, outcomes)
      const gone = outcomes.filter(({ attempt }) => attempt.status === GONE)
      for (const { projectId, endpointId } of gone) await disable(projectId, endpointId, 'gone')
      const since = ctx.clock.now().getTime() - FAILING_MS
      for (const { projectId, endpointId, failingSince } of failing)
        if (failingSince && failingSince.getTime() <= since) await disable(projectId, endpointId, 'failing')
      return outcomes.map(() => undefined)
    },
    { batchMax: READ_AT_ONCE, concurrency: 1, gatherMs: () => GATHER_MS },
  )

  async function disable(projectId: string, endpointId: string, reason: 'failing' | 'gone'): Promise<void> {
    await transaction(ctx.db, async (tx) => {
      const disabled = await disableEndpoint(tx, projectId, endpointId, reason, ctx.clock.now())
      if (!disabled) return
      const details = { endpointId, reason }
      await recordAuditEntry(ctx, tx, { actor: 'system', projectId, act: 'webhook-endpoint.disabled', details })
      if (reason === 'gone') return
      const about = { url: disabled.url, project: disabled.projectName, baseUrl: ctx.baseUrl }
      const managers = await listManagers(tx, projectId)
      await enqueueNotices(
        ctx,
        tx,
        managers.map((to) => webhookDisabledNotice({ ...about, to })),
      )
    })
  }

  /** One request, as a test or as an attempt. Never throws because of the receiver. */
  async function attempt(url: string, secrets: Buffer[], request: SignedRequest): Promise<deliveries.Attempt> {
    const at = ctx.clock.now()
    const body = JSON.stringify(payloadOf(request, request.facts))
    const startedAt = performance.now()
    const result = (outcome: Pick<deliveries.Attempt, 'status' | 'error' | 'response'>): deliveries.Attempt => ({
      at: at.toISOString(),
      ...outcome,
      durationMs: Math.round(performance.now() - startedAt),
    })
    try {
      const reply = await (await openClient()).post(url, signedHeaders(request.eventId, at, body, secrets), body)
      return result({ status: reply.status, error: null, response: storable(reply.text) })
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      return result({ status: null, error: error.message, response: null })
    }
  }

  /** In one of the places of the host, and of those that a project may use there. */
  async function inHost<T>(host: string, projectId: string, work: () => Promise<T>): Promise<T> {
    const lanes = hosts.get(host) ?? { all: createLane({ places: PER_HOST }), projects: new Map<string, Lane>() }
    hosts.set(host, lanes)
    const own = lanes.projects.get(projectId) ?? createLane({ places: PER_HOST_AND_PROJECT })
    lanes.projects.set(projectId, own)
    const turn = { priority: 0, projectId }
    try {
      return await own.run(turn, () => lanes.all.run(turn, work))
    } finally {
      if (own.inUse() === 0) lanes.projects.delete(projectId)
      if (lanes.projects.size === 0) hosts.delete(host)
    }
  }

  /**
   * Sends what is due for an endpoint. What is added meanwhile is read by the next poll if the last read was not full: a few
   * large reads cost much less than many small ones.
   */
  function drain(endpoint: deliveries.DueEndpoint) {
    const inProgress = new Set<string>()
    const recording = new Set<Promise<unknown>>()
    const lanes = new Set<Promise<void>>()
    let failure: { reason: unknown } | undefined
    let read: deliveries.DueDelivery[] = []
    let target: { url: string; secrets: Buffer[] } | undefined
    let reading: Promise<void> | undefined
    let isOver = false
    let isLast = false
    let isEnded = false

    /** The next poll sends again what was not recorded. */
    function fail(reason: unknown): void {
      isOver = true
      failure ??= { reason }
    }

    async function readMore(): Promise<void> {
      const row = await findEndpoint(ctx.db, endpoint.project_id, endpoint.id)
      const now = ctx.clock.now()
      if (!row?.enabled || row.host !== endpoint.host || isStopping) isOver = true
      else {
        target = { url: row.url, secrets: validSecrets(ctx, row.secrets, now) }
        read = await deliveries.listDue(ctx.db, endpoint, sender, { now, except: [...inProgress], limit: READ_AT_ONCE })
        for (const { id } of read) inProgress.add(id)
        isLast = read.length < READ_AT_ONCE
      }
    }

    async function next(): Promise<deliveries.DueDelivery | undefined> {
      while (read.length === 0 && !isOver) {
        if (isLast) return undefined
        reading ??= readMore().finally(() => {
          reading = undefined
        })
        await reading
      }
      return isOver ? undefined : read.shift()
    }

    async function send(delivery: deliveries.DueDelivery): Promise<void> {
      const { url, secrets } = target!
      const result = await inHost(endpoint.host, endpoint.project_id, () => attempt(url, secrets, requestOf(delivery)))
      const outcome = outcomeOf(endpoint, delivery, result)
      countWebhook(outcome.succeeded === true ? 'succeeded' : outcome.succeeded === false ? 'failed' : 'retried')
      if (result.status === GONE) isOver = true
      const recorded = record(outcome)
        .then(() => inProgress.delete(delivery.id))
        .catch(fail)
        .finally(() => recording.delete(recorded))
      recording.add(recorded)
      if (recording.size >= UNRECORDED_MAX) await Promise.race(recording)
    }

    async function work(): Promise<void> {
      for (let delivery = await next(); delivery; delivery = await next()) await send(delivery)
    }

    /** Requests that take long keep their lanes; the others send what is due. */
    function readAgain(): void {
      if (isEnded) return
      isLast = false
      while (lanes.size < PER_ENDPOINT) {
        const lane = work()
          .catch(fail)
          .finally(() => lanes.delete(lane))
        lanes.add(lane)
      }
    }

    async function untilEnd(): Promise<void> {
      while (lanes.size + recording.size > 0) await Promise.all([...lanes, ...recording])
      isEnded = true
      if (failure) throw failure.reason
    }

    readAgain()
    return { done: untilEnd(), readAgain }
  }

  function outcomeOf(
    { project_id, id: endpointId }: deliveries.DueEndpoint,
    delivery: deliveries.DueDelivery,
    result: deliveries.Attempt,
  ): deliveries.Outcome {
    const succeeded = result.status !== null && result.status >= 200 && result.status < 300
    const pause = ctx.settings.WEBHOOK_RETRY_SECONDS[delivery.attempts]
    const ends = succeeded || result.status === GONE || pause === undefined
    const nextMs =
      new Date(result.at).getTime() + result.durationMs + (pause ?? 0) * 1000 * (1 + Math.random() * JITTER)
    return {
      projectId: project_id,
      endpointId,
      id: delivery.id,
      attempt: result,
      succeeded: ends ? succeeded : null,
      nextAttemptAt: ends ? null : new Date(nextMs).toISOString(),
      facts: delivery.facts,
    }
  }

  /** Starts on every endpoint that has something due and isn't in progress. Returns what it started. */
  async function startDue(): Promise<Array<Promise<void>>> {
    const all = await deliveries.listDueEndpoints(ctx.db, ctx.clock.now())
    for (const { id } of all) busy.get(id)?.readAgain()
    const due = all.filter(({ id }) => !busy.has(id))
    if (due.length > 0) {
      const ours = new Set(await deliveries.claimHosts(ctx.db, [...new Set(due.map(({ host }) => host))], sender))
      for (const endpoint of due.filter(({ host }) => ours.has(host))) {
        const { done, readAgain } = drain(endpoint)
        const released = done.finally(() => {
          busy.delete(endpoint.id)
          return releaseHost(endpoint.host)
        })
        busy.set(endpoint.id, { host: endpoint.host, done: released, readAgain })
      }
    }
    return [...busy.values()].map(({ done }) => done)
  }

  async function releaseHost(host: string): Promise<void> {
    if ([...busy.values()].some((other) => other.host === host)) return
    await deliveries.releaseHosts(ctx.db, [host], sender)
  }

  function pollLater(): void {
    if (isStopping) return
    timer = setTimeout(() => {
      startDue()
        .then((started) => {
          for (const done of started) done.catch(warn)
        })
        .catch(warn)
        .finally(pollLater)
    }, POLL_MS)
  }

  const warn = (error: unknown) =>
    ctx.log.warn({ err: error }, 'webhooks could not be sent or recorded; they will be retried')

  /** A test uses the places of its host and its endpoint, too. */
  async function test(
    { project_id, id, host, url }: { project_id: string; id: string; host: string; url: string },
    secrets: Buffer[],
    request: SignedRequest,
  ): Promise<deliveries.Attempt> {
    const own = tests.get(id) ?? createLane({ places: PER_ENDPOINT })
    tests.set(id, own)
    try {
      return await own.run({ priority: 0, projectId: project_id }, () =>
        inHost(host, project_id, () => attempt(url, secrets, request)),
      )
    } finally {
      if (own.inUse() === 0) tests.delete(id)
    }
  }

  return {
    test,
    start: pollLater,
    /** Sends everything that is due by the clock, and returns when it is recorded. */
    async sendDue(): Promise<void> {
      for (let started = await startDue(); started.length > 0; started = await startDue()) await Promise.all(started)
    },
    /** Requests that are in progress get a few seconds; the next process repeats those that were not recorded. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      const all = Promise.allSettled([...busy.values()].map(({ done }) => done))
      let force: NodeJS.Timeout | undefined
      await Promise.race([
        all,
        new Promise((resolve) => {
          force = setTimeout(resolve, STOP_WITHIN_MS)
        }),
      ])
      clearTimeout(force)
      await (await client)?.close()
    },
  }
}

const requestOf = (row: deliveries.DueDelivery): SignedRequest => ({
  projectId: row.project_id,
  eventId: row.event_id,
  eventType: row.event_type,
  eventAt: row.event_at,
  facts: row.facts,
})

/** The beginning of a response, without half a character at the end. PostgreSQL can't store NUL characters. */
export function storable(text: string): string {
  const bytes = Buffer.alloc(RESPONSE_BYTES_MAX)
  const { written } = new TextEncoder().encodeInto(text.replaceAll('\0', '\ufffd'), bytes)
  return bytes.toString('utf8', 0, written)
}
