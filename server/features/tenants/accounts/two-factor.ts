/**
 * Two-factor sign-in: a code from an app in addition to the password. Each code and each recovery code works once.
 * Disabling it requires both factors; otherwise a stolen password would be enough to remove the second one.
 */
import type { Context } from '../../../context.ts'
import { conflict, invalidField, Refusal } from '../../../kernel/errors.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { recordAuditEntryOfPerson } from '../../record/audit/actions.ts'
import { enqueueNotice } from '../../record/notices/actions.ts'
import { isAddressConfirmed } from '../members/actions.ts'
import { clearAttempts, countAttempt } from './attempts.ts'
import { twoFactorNotice } from './notices.ts'
import { confirmPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { getSessionUser, type Session } from './sessions.ts'
import { forgotPasswordUrl } from './tokens.ts'
import { newRecoveryCodes, newSecret, normalizeRecoveryCode, otpauthUrl, stepOfCode } from './totp.ts'
import { hasTwoFactor, type UserRow } from './user.ts'

export async function twoFactorState(ctx: Context, { id, userId }: Session) {
  const enabled = hasTwoFactor(await getSessionUser(ctx, id))
  return { enabled, recoveryCodesLeft: enabled ? await queries.countRecoveryCodes(ctx.db, userId) : 0 }
}

/** Creates a secret for the app. It takes effect once it is confirmed with a code. */
export async function beginTwoFactor(ctx: Context, session: Session, password: string) {
  const known = await getSessionUser(ctx, session.id)
  if (hasTwoFactor(known)) throw alreadyEnabled()
  if (!isAddressConfirmed(ctx, known)) throw unconfirmed()
  const user = await confirmPassword(ctx, session.id, password)
  const secret = newSecret()
  const kept = await queries.savePendingSecret(ctx.db, user.id, ctx.secrets.encrypt(secret), ctx.clock.now())
  if (!kept) throw alreadyEnabled()
  await clearAttempts(ctx, { kind: 'confirm', email: user.email })
  return { secret, otpauthUrl: otpauthUrl(secret, user.email) }
}

export async function confirmTwoFactor(ctx: Context, session: Session, code: string, ip: string) {
  return transaction(ctx.db, async (tx) => {
    const user = (await queries.lockUser(tx, session.userId))!
    if (hasTwoFactor(user)) throw alreadyEnabled()
    if (!isAddressConfirmed(ctx, user)) throw unconfirmed()
    if (!user.two_factor_secret) throw conflict('There is no secret to confirm. Create one with POST /auth/two-factor.')
    if (!(await useTotp(ctx, tx, user, code))) {
      throw invalidField('code', "The code is incorrect. Check your device's clock and enter the latest code.")
    }
    await queries.turnOn(tx, user.id, ctx.clock.now())
    await queries.deleteSessionsOf(tx, user.id, session.id) // they were opened without a second factor
    await notifyUser(ctx, tx, user, true, ip)
    return { recoveryCodes: await makeRecoveryCodes(tx, user.id) }
  })
}

export async function disableTwoFactor(
  ctx: Context,
  session: Session,
  { password, code }: { password: string; code: string },
  ip: string,
): Promise<void> {
  const user = await confirmBoth(ctx, session, password, code)
  await transaction(ctx.db, async (tx) => {
    await queries.turnOff(tx, user.id, ctx.clock.now())
    await notifyUser(ctx, tx, user, false, ip)
  })
}

export async function renewRecoveryCodes(
  ctx: Context,
  session: Session,
  { password, code }: { password: string; code: string },
) {
  const user = await confirmBoth(ctx, session, password, code)
  return { recoveryCodes: await transaction(ctx.db, (tx) => makeRecoveryCodes(tx, user.id)) }
}

async function confirmBoth(ctx: Context, session: Session, password: string, code: string): Promise<UserRow> {
  if (!hasTwoFactor(await getSessionUser(ctx, session.id))) throw conflict('Two-factor authentication is not enabled.')
  const user = await confirmPassword(ctx, session.id, password)
  await requireCode(ctx, user, code)
  await clearAttempts(ctx, { kind: 'confirm', email: user.email })
  return user
}

/**
 * Called after the first factor was verified. A code works once. Only a correct code clears the failures of wrong ones.
 */
export async function requireCode(ctx: Context, user: UserRow, code: string | undefined, ip?: string): Promise<void> {
  if (!hasTwoFactor(user)) return
  if (!code?.trim()) throw codeRequired('This account also requires a code from the authenticator app.')
  await countAttempt(ctx, { kind: 'code', email: user.email, ip })
  const isRight =
    (await useTotp(ctx, ctx.db, user, code)) ||
    (await queries.useRecoveryCode(ctx.db, user.id, hashKey(normalizeRecoveryCode(code)), ctx.clock.now()))
  if (!isRight) throw codeRequired('The code is incorrect or has already been used.')
  await clearAttempts(ctx, { kind: 'code', email: user.email })
}

async function useTotp(ctx: Context, db: Database | Tx, user: UserRow, code: string): Promise<boolean> {
  const secret = ctx.secrets.decrypt(user.two_factor_secret!)
  const step = stepOfCode(secret, code, ctx.clock.now())
  return step !== undefined && queries.useStep(db, user.id, step)
}

async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await queries.replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashKey(normalizeRecoveryCode(code))),
  )
  return codes
}

async function notifyUser(ctx: Context, tx: Tx, user: UserRow, enabled: boolean, ip: string): Promise<void> {
  await recordAuditEntryOfPerson(ctx, tx, user.id, { act: enabled ? 'two-factor.enabled' : 'two-factor.disabled', ip })
  await enqueueNotice(ctx, tx, twoFactorNotice({ to: user.email, link: forgotPasswordUrl(ctx), enabled }))
}

const alreadyEnabled = () =>
  conflict('Two-factor authentication is already enabled.', {
    suggestion: 'Disable it first to switch to another authenticator app.',
  })

/** Otherwise someone who signed up with another person's address could lock them out of the account permanently. */
const unconfirmed = () =>
  new Refusal('forbidden', 'FORBIDDEN', 'Your email address is not confirmed.', {
    suggestion:
      'Follow the link in the confirmation email, or request a new one, then set up two-factor authentication.',
  })

const codeRequired = (message: string) =>
  new Refusal('unauthenticated', 'TWO_FACTOR_REQUIRED', message, {
    suggestion: 'Send the latest code, or an unused recovery code, as "code".',
  })
