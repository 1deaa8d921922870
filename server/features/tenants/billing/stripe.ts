/** The Stripe client. Its library is loaded on first use, because most installations don't use billing. */
import type { Stripe } from 'stripe'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../kernel/errors.ts'

const TIMEOUT_MS = 10_000

export const acceptsPayments = (ctx: Context): boolean => ctx.settings.STRIPE_SECRET_KEY !== ''

/** Without a Stripe key, billing endpoints don't exist. */
export const noBilling = () =>
  new Refusal('not-found', 'RESOURCE_NOT_FOUND', 'Billing is not configured on this installation.', {
    details: { resource: 'billing', id: '' },
    suggestion: 'The operator can enable it by setting STRIPE_SECRET_KEY.',
  })

export type StripeAccount = ReturnType<typeof createStripeAccount>

export function createStripeAccount(ctx: Context) {
  let connected: Promise<Stripe> | undefined
  const client = (): Promise<Stripe> => {
    connected ??= connect(ctx)
    return connected
  }

  return {
    client,
    /** Calls Stripe. If Stripe is unavailable or refuses the request, the caller is not at fault. */
    async call<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
      if (!acceptsPayments(ctx)) throw noBilling()
      const stripe = await client()
      try {
        return await work(stripe)
      } catch (error) {
        if (!(error instanceof Error && 'rawType' in error) && !isStripeError(error)) throw error
        ctx.log.error({ err: error }, 'a Stripe request failed')
        throw new Refusal(
          'unavailable',
          'SERVICE_UNAVAILABLE',
          'The payment provider returned an unexpected response.',
          {
            suggestion: 'Nothing was changed. Try again in a minute. The log contains the details.',
            details: { retryAfter: 60 },
          },
        )
      }
    },
  }
}

const isStripeError = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')

async function connect({ settings }: Context): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const base = settings.STRIPE_API_BASE ? new URL(settings.STRIPE_API_BASE) : undefined
  const protocol = base?.protocol === 'http:' ? 'http' : 'https'
  return new Stripe(settings.STRIPE_SECRET_KEY, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && { protocol, host: base.hostname, port: base.port || (protocol === 'http' ? 80 : 443) }),
  })
}
