/**
 * Sign-in with a provider. An account is identified by the provider's id of the user and the issuer of that id. At the first sign-in, an existing
 * account with the same address is linked only if both sides have verified that address; otherwise, claiming an address
 * on one side would give access to the account on the other.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { createVerifiedUser, findUser, findUserByEmail } from '../accounts/actions.ts'
import { isSecure, type Origin, openSession } from '../accounts/sessions.ts'
import { requireCode } from '../accounts/two-factor.ts'
import { hasTwoFactor, type UserRow } from '../accounts/user.ts'
import { expiredCookie, readKept, stateCookie } from './cookie.ts'
import { type Identity, type Provider, ProviderRefusal, type RefusalReason } from './provider.ts'
import { getProvider, type Providers } from './providers.ts'
import * as queries from './queries.ts'

const HOME = '/app'

/** The providers of the sign-in page. */
export function oauthConfig(providers: Providers): { github: boolean; google: boolean; oidc?: { name: string } } {
  const oidc = providers.get('oidc')
  return {
    github: providers.has('github'),
    google: providers.has('google'),
    ...(oidc && { oidc: { name: oidc.name } }),
  }
}

/** The URL to which the browser is redirected, and the cookies to set. */
export interface Step {
  location: string
  cookies: string[]
}

const random = () => randomBytes(32).toString('base64url')

export async function beginOauth(
  ctx: Context,
  providers: Providers,
  name: string,
  next: string | undefined,
): Promise<Step> {
  const provider = getProvider(providers, name)
  const attempt = { state: random(), nonce: random(), verifier: random(), redirectUri: callbackOf(ctx, name) }
  const url = await provider.authorizationUrl(attempt)
  const kept = { kind: 'attempt', provider: name, attempt, next: ownPath(next) } as const
  return { location: url.href, cookies: [stateCookie(ctx, kept, isSecure(ctx))] }
}

/** Signed in, or the second factor is required first. */
export async function finishOauth(
  ctx: Context,
  providers: Providers,
  name: string,
  answer: URLSearchParams,
  cookieHeader: string | undefined,
  origin: Origin,
): Promise<Step | { needsCode: string[] }> {
  const provider = getProvider(providers, name)
  const kept = readKept(ctx, cookieHeader, 'attempt')
  if (!kept || kept.provider !== name) {
    throw new ProviderRefusal(
      'refused',
      'This sign-in was not started in this browser, or it took too long. Start again.',
    )
  }
  const identity = await provider.identify(kept.attempt, answer)
  const user = await transaction(ctx.db, (tx) => findOrCreateUser(ctx, tx, name, provider, identity))
  if (hasTwoFactor(user)) {
    return {
      needsCode: [stateCookie(ctx, { kind: 'second-factor', userId: user.id, next: kept.next }, isSecure(ctx))],
    }
  }
  return signIn(ctx, user, kept.next, origin)
}

export async function finishSecondFactor(
  ctx: Context,
  code: string,
  cookieHeader: string | undefined,
  origin: Origin,
): Promise<Step> {
  const kept = readKept(ctx, cookieHeader, 'second-factor')
  const user = kept && (await findUser(ctx, kept.userId))
  if (!kept || !user) throw new ProviderRefusal('refused', 'The sign-in took too long. Start again.')
  await requireCode(ctx, user, code, origin.ip)
  return signIn(ctx, user, kept.next, origin)
}

async function signIn(ctx: Context, user: UserRow, next: string, origin: Origin): Promise<Step> {
  const { cookie } = await openSession(ctx, ctx.db, user, origin)
  return { location: `${ctx.baseUrl}${next}`, cookies: [cookie, expiredCookie(isSecure(ctx))] }
}

async function findOrCreateUser(
  ctx: Context,
  tx: Tx,
  providerName: string,
  { name, issuer }: Provider,
  identity: Identity,
): Promise<UserRow> {
  const key = { provider: providerName, issuer, subject: identity.subject }
  const known = await queries.findUserByIdentity(tx, key)
  if (known) return known

  const email = normalizeEmail(identity.email ?? '')
  if (!isEmailAddress(email) || !identity.emailVerified) {
    throw new ProviderRefusal(
      'not-allowed',
      `Your ${name} account has no verified email address. Verify it at ${name}, then try again.`,
    )
  }
  const user =
    (await findUserByEmail(tx, email)) ?? (await createUserFor(ctx, tx, email)) ?? (await findUserByEmail(tx, email)) // created by another request between our two queries
  if (!user?.email_verified_at) {
    throw new ProviderRefusal(
      'not-allowed',
      `An account with the address ${email} already exists, but its address is not confirmed. Sign in with your password, confirm the address, then try again.`,
    )
  }
  await queries.insertIdentity(tx, { ...key, userId: user.id, now: ctx.clock.now() })
  return user
}

function createUserFor(ctx: Context, tx: Tx, email: string): Promise<UserRow | undefined> {
  if (ctx.settings.DISABLE_SIGNUPS) {
    throw new ProviderRefusal('not-allowed', 'Sign-up is disabled on this installation. Ask for an invitation.')
  }
  return createVerifiedUser(ctx, tx, email)
}

/** Called at every start. Identities from before issuers were stored belong to the provider that is configured now. */
export async function setMissingIssuers(ctx: Context, providers: Providers): Promise<void> {
  for (const [name, { issuer }] of providers) await queries.setMissingIssuers(ctx.db, name, issuer)
}

const callbackOf = (ctx: Context, name: string) => `${ctx.baseUrl}/auth/oauth/${name}/callback`

/** Only a path on our own site, so that a link can't redirect elsewhere. */
function ownPath(next: string | undefined): string {
  if (!next || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, 'http://own')) return HOME
  const url = new URL(next, 'http://own')
  return url.host === 'own' ? `${url.pathname}${url.search}${url.hash}` : HOME
}

/** The message for the user. The cause is logged; unexpected errors are rethrown. */
export function explain(ctx: Context, error: unknown): { reason: RefusalReason | 'code'; message: string } {
  if (error instanceof ProviderRefusal) {
    const facts = { reason: error.reason, cause: String(error.cause ?? '') }
    ctx.log[error.reason === 'away' ? 'warn' : 'info'](facts, 'signing in with a provider failed')
    return { reason: error.reason, message: error.message }
  }
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'TWO_FACTOR_REQUIRED') return { reason: 'code', message: error.message }
  if (error.code === 'RATE_LIMIT_EXCEEDED') return { reason: 'too-many', message: error.message }
  throw error
}
