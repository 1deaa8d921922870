/**
 * WEBHOOK: one HTTP request to an address that the user configured, sent by the guarded fetch and signed as Standard
 * Webhooks specifies (https://www.standardwebhooks.com). It is sent once: a response other than 2xx, or none within ten
 * seconds, fails the step, and only a person can retry it.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { recordOf } from '../../../kernel/records.ts'
import { withSpan } from '../../../kernel/tracing.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import {
  FetchFailure,
  type PublicReply,
  type PublicRequest,
  publicFetch,
} from '../../../platform/network/public-fetch.ts'
import { signatureHeaders } from '../../../platform/network/webhook-signature.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { findWebhookSecret, insertWebhookSecret, replaceWebhookSecret, type WebhookSecretRow } from './queries.ts'
import { defineStep, type StepInput } from './step.ts'
import { renderJson, renderText, templatingOf, textsIn } from './templating.ts'

const HEADERS_MAX = 50
const SECRET_BYTES = 32
const DAY_MS = 86_400_000

/** These belong to the connection. */
const NOT_CONFIGURABLE = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
)

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/, 'Must be the name of an HTTP header.')
  .refine((name) => !NOT_CONFIGURABLE.has(name.toLowerCase()), "This header can't be set.")

const headerValue = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .refine((value) => value.length <= 8_000, {
    message: 'Must be at most 8000 characters.',
    params: { code: 'too_big' },
  })
  .refine((value) => !/[\r\n\0]/.test(value), {
    message: 'Must not contain line breaks.',
    params: { code: 'invalid_string' },
  })

const headers = recordOf(headerName, headerValue).refine((all) => Object.keys(all).length <= HEADERS_MAX, {
  message: `Must contain at most ${HEADERS_MAX} headers.`,
  params: { code: 'too_big' },
})

const config = z.object({
  url: z
    .string()
    .trim()
    .max(4_000, 'Must be at most 4000 characters.')
    .regex(/^https?:\/\/./i, 'Must start with a literal http:// or https://. Placeholders can follow.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).nullish(),
  headers: headers.nullish(),
  body: z.unknown().optional(),
})

type Config = z.output<typeof config>

export const webhookStep = defineStep({
  type: 'WEBHOOK',
  config,
  liquid: ({ url, headers, body }) => ({ url, ...textsIn(headers ?? {}, 'headers'), ...textsIn(body, 'body') }),
  external: true,
  async run(input, config) {
    const request = await buildRequest(input, config)
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const reply = await sendTraced(input, request)
      const output = { statusCode: reply.status, durationMs: durationMs(), response: storable(reply.text) }
      if (reply.status >= 200 && reply.status < 300) return { kind: 'continue', output }
      return { kind: 'fail', error: `The URL responded with status ${reply.status}.`, output }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const output = { statusCode: null, durationMs: durationMs(), response: null }
      return { kind: 'fail', error: error.message, output }
    }
  },
  async simulate(input, config) {
    const { url, method, headers, ownHeaders, body } = await buildRequest(input, config)
    return {
      kind: 'continue',
      output: { request: { method, url, headers: { ...ownHeaders, ...headers }, body: body ?? null } },
    }
  },
})

/** The receiver can continue the trace. The URL isn't recorded, because it may contain a token or data of the contact. */
function sendTraced({ ctx, workflow, step }: StepInput, request: PublicRequest): Promise<PublicReply> {
  const attributes = {
    'http.request.method': request.method,
    'posthorn.workflow.id': workflow.id,
    'posthorn.step.id': step.id,
  }
  return withSpan('webhook', { kind: 'client', attributes }, async (span) => {
    const ownHeaders = { ...(span && { traceparent: span.traceparent }), ...request.ownHeaders }
    const rules = { allowPrivate: ctx.settings.WEBHOOK_ALLOW_PRIVATE }
    const reply = await publicFetch({ ...request, ownHeaders }, rules)
    span?.set({ 'http.response.status_code': reply.status })
    if (reply.status >= 400) span?.fail(String(reply.status))
    return reply
  })
}

/** The configured request with its Liquid rendered. Without a configured body it sends the default payload. */
async function buildRequest(input: StepInput, config: Config): Promise<PublicRequest> {
  const { ctx, db, projectId, execution, step, now } = input
  const secrets = await webhookSecrets(ctx, projectId, db)
  const templating = templatingOf(input)
  const method = config.method ?? 'POST'
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(config.headers ?? {})) headers[name] = await renderText(templating, value)

  const configured = config.body !== undefined && config.body !== null
  const payload = configured ? await renderJson(templating, config.body) : defaultPayload(input)
  const body = configured || (method !== 'GET' && method !== 'DELETE') ? JSON.stringify(payload) : undefined
  return {
    url: await renderText(templating, config.url),
    method,
    headers,
    ownHeaders: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...signatureHeaders(`${execution.id}_${step.id}`, now, body ?? '', secrets),
    },
    body,
  }
}

const defaultPayload = ({ contact, workflow, execution }: StepInput) => ({
  contact: { email: contact.email, subscribed: contact.subscribed, data: contact.data },
  workflow: { id: workflow.id, name: workflow.name },
  execution: { id: execution.id, startedAt: execution.startedAt },
  event: execution.event ?? {},
})

/** PostgreSQL can't store NUL characters. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

// The secret that signs a project's webhooks is created when it is first needed. After a rotation both the new and the
// previous secret sign for a day, so receivers can change over without rejecting requests.

export async function getWebhookSecret(ctx: Context, projectId: string) {
  return showSecret(ctx, await findOrCreateSecret(ctx, projectId, ctx.db))
}

export async function rotateWebhookSecret(ctx: Context, projectId: string, who: Actor) {
  await findOrCreateSecret(ctx, projectId, ctx.db)
  const now = ctx.clock.now()
  const previousUntil = new Date(now.getTime() + DAY_MS)
  return transaction(ctx.db, async (tx) => {
    const row = await replaceWebhookSecret(tx, projectId, newSecret(ctx), now, previousUntil)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'workflow.secret-rotated', details: { previousUntil } })
    return showSecret(ctx, row)
  })
}

/** The secrets that sign now, newest first. */
async function webhookSecrets(ctx: Context, projectId: string, db: Database | Tx): Promise<Buffer[]> {
  const { sealed, sealed_before, before_until } = await findOrCreateSecret(ctx, projectId, db)
  const previous = sealed_before && before_until && before_until > ctx.clock.now() ? [sealed_before] : []
  return [sealed, ...previous].map((secret) => Buffer.from(ctx.secrets.decrypt(secret), 'base64'))
}

const findOrCreateSecret = async (ctx: Context, projectId: string, db: Database | Tx): Promise<WebhookSecretRow> =>
  (await findWebhookSecret(db, projectId)) ??
  (await insertWebhookSecret(db, projectId, newSecret(ctx), ctx.clock.now()))

const newSecret = (ctx: Context): Buffer => ctx.secrets.encrypt(randomBytes(SECRET_BYTES).toString('base64'))

const showSecret = (ctx: Context, { sealed, created_at }: WebhookSecretRow) => ({
  secret: `whsec_${ctx.secrets.decrypt(sealed)}`,
  createdAt: created_at,
})
