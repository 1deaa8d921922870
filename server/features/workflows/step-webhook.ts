/**
 * WEBHOOK: one HTTP request to an address the user wrote, through the guarded fetch. Made once: an answer other than
 * 2xx, or none within ten seconds, fails the step, and only a person tries it again.
 */
import { z } from 'zod'
import { FetchFailure, publicFetch } from '../../platform/network/public-fetch.ts'
import { type Scene, stepKind } from './step-kind.ts'
import { textsIn } from './templating.ts'
import { METHODS, type WebhookSettings, webhookRequest } from './webhook-request.ts'
import { webhookSecrets } from './webhook-secret.ts'

const HEADERS_MAX = 50

/** The connection's own business. */
const NOT_CONFIGURABLE = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
)

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/, 'Must be the name of an HTTP header.')
  .refine((name) => !NOT_CONFIGURABLE.has(name.toLowerCase()), 'This header cannot be set.')

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

const headers = z.record(headerName, headerValue).refine((all) => Object.keys(all).length <= HEADERS_MAX, {
  message: `Must be at most ${HEADERS_MAX} headers.`,
  params: { code: 'too_big' },
})

export const webhookStep = stepKind<WebhookSettings>({
  type: 'WEBHOOK',
  config: z.object({
    url: z
      .string()
      .trim()
      .max(4_000, 'Must be at most 4000 characters.')
      .regex(/^https?:\/\/./i, 'Must begin with http:// or https://, written out. Placeholders may follow.'),
    method: z.enum(METHODS).nullish(),
    headers: headers.nullish(),
    body: z.unknown().optional(),
  }),
  templates: ({ url, headers, body }) => ({ url, ...textsIn(headers ?? {}, 'headers'), ...textsIn(body, 'body') }),
  outside: true,
  async run(scene, settings) {
    const request = await requestOf(scene, settings)
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const reply = await publicFetch(request, { allowPrivate: scene.ctx.settings.WEBHOOK_ALLOW_PRIVATE })
      const output = { statusCode: reply.status, durationMs: durationMs(), response: storable(reply.text) }
      if (reply.status >= 200 && reply.status < 300) return { kind: 'goes on', output }
      return { kind: 'fails', error: `The address answered with status ${reply.status}.`, output }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const output = { statusCode: null, durationMs: durationMs(), response: null }
      return { kind: 'fails', error: error.message, output }
    }
  },
  async simulate(scene, settings) {
    const { url, method, headers, ownHeaders, body } = await requestOf(scene, settings)
    return {
      kind: 'goes on',
      output: { request: { method, url, headers: { ...ownHeaders, ...headers }, body: body ?? null } },
    }
  },
})

const requestOf = async (scene: Scene, settings: WebhookSettings) =>
  webhookRequest(scene, settings, await webhookSecrets(scene.ctx, scene.projectId))

/** PostgreSQL holds no NUL character. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()
