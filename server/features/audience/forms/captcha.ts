/** CAPTCHA providers: what their widget needs on a page, and how their servers verify what it returns. */
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { FetchFailure, publicFetch } from '../../../platform/network/public-fetch.ts'
import type { Captcha } from './queries.ts'

interface Provider {
  /** Turns every element of this class into a widget. */
  script: string
  className: string
  /** The input that the widget adds to the form. */
  input: string
  /** What the policy of a page has to allow. */
  origins: string[]
  verify: string
  /** Asks whether a response of the widget is valid. */
  request(response: string, siteKey: string, secretKey: string): { headers: Record<string, string>; body: string }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export const PROVIDERS: Record<Captcha['provider'], Provider> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    className: 'cf-turnstile',
    input: 'cf-turnstile-response',
    origins: ['https://challenges.cloudflare.com'],
    verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    request: (response, _siteKey, secret) => ({
      headers: FORM,
      body: new URLSearchParams({ secret, response }).toString(),
    }),
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    className: 'h-captcha',
    input: 'h-captcha-response',
    origins: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    verify: 'https://api.hcaptcha.com/siteverify',
    request: (response, sitekey, secret) => ({
      headers: FORM,
      body: new URLSearchParams({ secret, response, sitekey }).toString(),
    }),
  },
  'friendly-captcha': {
    script: 'https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@0.1/site.min.js',
    className: 'frc-captcha',
    input: 'frc-captcha-response',
    origins: ['https://cdn.jsdelivr.net', 'https://*.frcapi.com'],
    verify: 'https://global.frcapi.com/api/v2/captcha/siteverify',
    request: (response, sitekey, secret) => ({
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ response, sitekey }),
    }),
  },
}

const RESPONSE_MAX = 10_000
const TIMEOUT_MS = 5_000

/** Whether the provider confirms that a person solved the check. */
export async function isSolved(
  ctx: Context,
  { provider, siteKey, endpoint }: Captcha,
  secretKey: string,
  body: Record<string, unknown>,
): Promise<boolean> {
  const { input, verify, request } = PROVIDERS[provider]
  const response = body[input]
  if (typeof response !== 'string' || response === '' || response.length > RESPONSE_MAX) return false
  const url = endpoint ? new URL(new URL(verify).pathname, endpoint).href : verify
  const rules = { allowPrivate: ctx.settings.WEBHOOK_ALLOW_PRIVATE, timeoutMs: TIMEOUT_MS, redirectsMax: 0 }
  try {
    const reply = await publicFetch({ url, method: 'POST', ...request(response, siteKey, secretKey) }, rules)
    return successIn(reply.text)
  } catch (error) {
    if (!(error instanceof FetchFailure || error instanceof SyntaxError)) throw error
    ctx.log.warn({ provider, reason: error.message }, 'a CAPTCHA provider did not respond')
    throw new Refusal(
      'unavailable',
      'SERVICE_UNAVAILABLE',
      "The check against automated submissions isn't available.",
      {
        suggestion: 'Try again in a minute.',
      },
    )
  }
}

const successIn = (text: string): boolean => (JSON.parse(text) as { success?: unknown } | null)?.success === true
