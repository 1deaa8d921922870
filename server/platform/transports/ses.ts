/**
 * Sends messages through the HTTP API of Amazon SES (v2), signed with SigV4. Without Amazon's SDK, which sent 1,000
 * messages/s to a local endpoint where plain requests sent 12,000. SES signs with the domain's key automatically.
 */
import { AwsV4Signer } from 'aws4fetch'
import { Pool } from 'undici'
import { createLane } from '../../kernel/flow/lane.ts'
import { withSpan } from '../../kernel/tracing.ts'
import { wireAddress } from '../mime/mime-encoding.ts'
import { oneLine } from '../smtp/smtp-wire.ts'
import type { SesOptions } from './mail-url.ts'
import { findSesIdentity, type SesAccess } from './ses-identities.ts'
import { sesFailure } from './ses-reply.ts'
import type { MailResult, OpenTransport, OutgoingMail, Quota } from './transport.ts'

const RESPONSE_TIMEOUT_MS = 30_000
const CONNECTIONS = 50
const QUOTA_LASTS_MS = 60_000

interface CustomResponse {
  status: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: responses of SES have several shapes.
  body: any
}

export function sesTransport(options: SesOptions, access: SesAccess): OpenTransport {
  const endpoint = access.endpoint || `https://email.${options.region}.amazonaws.com`
  const pool = new Pool(endpoint, {
    connections: CONNECTIONS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
  })

  async function call(method: 'GET' | 'POST', path: string, content?: object): Promise<CustomResponse> {
    const signed = await new AwsV4Signer({
      method,
      url: `${endpoint}${path}`,
      ...(content ? { body: JSON.stringify(content), headers: { 'content-type': 'application/json' } } : {}),
      accessKeyId: access.accessKeyId,
      secretAccessKey: access.secretAccessKey,
      ...(access.sessionToken ? { sessionToken: access.sessionToken } : {}),
      service: 'ses',
      region: options.region,
    }).sign()
    const { pathname, search } = signed.url
    const reply = await pool.request({
      method,
      path: pathname + search,
      headers: Object.fromEntries(signed.headers.entries()),
      body: (signed.body as string | undefined) ?? null,
    })
    const body = parsed(await reply.body.text())
    const type = String(reply.headers['x-amzn-errortype'] ?? body.__type ?? '')
    return { status: reply.statusCode, type: type.replace(/^.*#|:.*$/g, ''), body }
  }

  const attributes = { 'server.address': new URL(endpoint).hostname, 'http.request.method': 'POST' }
  /** The HTTP client would serve waiting requests in the order of their arrival. */
  const lane = createLane({ places: CONNECTIONS })

  async function post({ recipients, raw }: OutgoingMail): Promise<MailResult> {
    const content = {
      Destination: { ToAddresses: recipients.map(wireAddress) },
      Content: { Raw: { Data: raw.toString('base64') } },
      ...(options.configurationSet ? { ConfigurationSetName: options.configurationSet } : {}),
    }
    try {
      const { status, type, body } = await withSpan('SES request', { kind: 'client', attributes }, async (span) => {
        const reply = await call('POST', '/v2/email/outbound-emails', content)
        span?.set({ 'http.response.status_code': reply.status })
        if (reply.status !== 200) span?.fail(reply.type || String(reply.status))
        return reply
      })
      if (status !== 200) return sesFailure(status, type, String(body.message ?? body.Message ?? ''))
      return { outcome: 'accepted', providerId: String(body.MessageId), delivered: false }
    } catch (error) {
      return { outcome: 'unavailable', reason: oneLine(`SES can't be reached: ${(error as Error).message}`) }
    }
  }

  async function readQuota(): Promise<Quota> {
    const { status, type, body } = await call('GET', '/v2/email/account')
    const quota = body.SendQuota
    if (status !== 200 || !quota) throw new Error(oneLine(`The SES quota could not be read: ${status} ${type}`))
    const unlimited = quota.Max24HourSend < 0
    return {
      perSecond: Number(quota.MaxSendRate) || 1,
      leftToday: unlimited ? Number.POSITIVE_INFINITY : quota.Max24HourSend - quota.SentLast24Hours,
    }
  }

  return {
    kind: 'ses',
    capabilities: { captures: false, signing: 'by-provider', receivesReports: true },
    credentialSettings: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    identities: {
      region: options.region,
      find: (domain, mailFrom) => findSesIdentity({ ...access, region: options.region }, domain, mailFrom),
    },
    parallel: CONNECTIONS,
    send: (mail) => lane.run(mail, () => post(mail)),
    quota: remembered(readQuota, QUOTA_LASTS_MS),
    close: () => pool.close(),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function parsed(text: string): any {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {} // possibly the page of a proxy
  }
}

/** Refreshes after a while; concurrent callers share one request, and failures are not cached. */
function remembered<T>(read: () => Promise<T>, lastsMs: number): () => Promise<T> {
  let known: { answer: Promise<T>; until: number } | undefined
  return () => {
    if (!known || Date.now() > known.until) {
      const answer = read()
      const current = { answer, until: Date.now() + lastsMs }
      known = current
      answer.catch(() => {
        if (known === current) known = undefined
      })
    }
    return known.answer
  }
}
