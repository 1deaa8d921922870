/**
 * Invitations by mail, also for people without an account. The token in the link is the proof that the person reads
 * mail at that address, so it works for an account with that address alone.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { badRequest, conflict, forbidden, notFound, Refusal } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { hashKey } from '../../platform/secrets.ts'
import { enqueueNotice } from '../notices/actions.ts'
import { type Actor, recordAct } from './audit.ts'
import { countActs } from './audit-queries.ts'
import * as queries from './invitation-queries.ts'
import { invitationNotice } from './member-notices.ts'
import { findMember, findProjectName, insertMember, isMemberByEmail } from './member-queries.ts'
import { refuseOwnerRole } from './members.ts'

const DAYS = 7
const DAY_MS = 24 * 3600_000

/** Anyone may make a project, so its invitations must not become a way to write to the whole world. */
const PER_DAY_MAX = 50

export async function invite(ctx: Context, projectId: string, input: { email: string; role: string }, by: Actor) {
  refuseOwnerRole(input.role)
  const now = ctx.clock.now()
  const token = randomBytes(32).toString('base64url')
  const row = { id: newId(now), ...input, now, expiresAt: new Date(now.getTime() + DAYS * DAY_MS) }
  return transaction(ctx.db, async (tx) => {
    if (await isMemberByEmail(tx, projectId, input.email)) {
      throw conflict(`${input.email} is a member of this project already.`)
    }
    await refuseTooMany(ctx, tx, projectId)
    const inviter = by.actor === 'key' ? undefined : await findMember(tx, projectId, by.actor)
    await queries.replaceInvitation(tx, projectId, {
      ...row,
      tokenHash: hashKey(token),
      invitedBy: inviter?.user_id ?? null,
    })
    await recordAct(ctx, tx, { projectId, ...by, act: 'invitation.made', details: { ...input } })
    const project = await findProjectName(tx, projectId)
    const link = `${ctx.baseUrl}/app/accept-invitation?token=${token}`
    const invitedBy = inviter?.email ?? null
    await enqueueNotice(ctx, tx, invitationNotice({ ...input, to: input.email, project, invitedBy, link, days: DAYS }))
    return { id: row.id, ...input, invitedBy, createdAt: now, expiresAt: row.expiresAt }
  })
}

async function refuseTooMany(ctx: Context, tx: Tx, projectId: string): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - DAY_MS)
  if ((await countActs(tx, projectId, { act: 'invitation.made', since })) < PER_DAY_MAX) return
  throw new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', `A project may invite ${PER_DAY_MAX} people a day.`, {
    details: { retryAfter: DAY_MS / 1000, limit: PER_DAY_MAX },
    suggestion: 'Add people who have an account with POST /projects/{id}/members, or go on tomorrow.',
  })
}

export async function listInvitations(ctx: Context, projectId: string) {
  return { data: (await queries.listInvitations(ctx.db, projectId, ctx.clock.now())).map(showInvitation) }
}

export async function withdrawInvitation(ctx: Context, projectId: string, id: string, by: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const gone = await queries.deleteInvitation(tx, projectId, id)
    if (!gone) throw notFound('invitation', id)
    await recordAct(ctx, tx, { projectId, ...by, act: 'invitation.withdrawn', details: gone })
  })
}

/** What the page behind the link shows before anyone signs in. */
export async function previewInvitation(ctx: Context, token: string) {
  const row = await queries.findInvitation(ctx.db, hashKey(token), ctx.clock.now())
  if (!row) throw deadInvitation()
  const { email, role, project_name: projectName, invited_by_email: invitedBy } = row
  return { email, role, projectName, invitedBy, hasAccount: row.user_id !== null, expiresAt: row.expires_at }
}

/** Makes the person a member; returns the project. A role they have already stays. */
export async function acceptInvitation(
  ctx: Context,
  tx: Tx,
  { token, userId, email, ip }: { token: string; userId: string; email: string; ip?: string | undefined },
): Promise<{ projectId: string; role: string }> {
  const now = ctx.clock.now()
  const taken = await queries.takeInvitation(tx, hashKey(token), now)
  if (!taken) throw deadInvitation()
  if (taken.email !== email) {
    throw forbidden(`This invitation is for ${taken.email}. Sign in with that address, or create an account with it.`)
  }
  const projectId = taken.project_id
  await insertMember(tx, projectId, { userId, role: taken.role, now })
  const details = { userId, email, role: taken.role }
  await recordAct(ctx, tx, { projectId, actor: userId, ip, act: 'invitation.accepted', details })
  const member = await findMember(tx, projectId, userId)
  return { projectId, role: member!.role }
}

export const forgetOldInvitations = (ctx: Context): Promise<void> => queries.forgetInvitations(ctx.db, ctx.clock.now())

const deadInvitation = () =>
  badRequest('This invitation was accepted or withdrawn, or it is too old.', {
    suggestion: 'Ask for a new one.',
  })

const showInvitation = (row: queries.InvitationRow) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by_email,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
