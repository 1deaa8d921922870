/**
 * Members of a project, and invitations by email. The user who created the project is its owner and can't be removed;
 * admins add and remove the others. Membership is looked up for every request, so a removal takes effect with the next
 * one. Invitations also reach people without an account. The token in the link proves access to the mailbox, so it
 * works only for an account with that address.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { badRequest, conflict, countOf, forbidden, notFound, Refusal } from '../../../kernel/errors.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { isUnlimited } from '../../../kernel/scopes.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { enqueueNotice } from '../../record/notices/actions.ts'
import { countAct, limitReached, tryAct } from './account-limits.ts'
import { addedNotice, adminByKeyNotice, invitationNotice } from './notices.ts'
import * as queries from './queries.ts'

const DAYS = 7
const DAY_MS = 24 * 3600_000

/** Editors report themselves three times in this time. */
const EDITING_MS = 45_000

/** Who else has it open in an editor. A member who asks has it open too. */
export async function reportEditing(
  ctx: Context,
  projectId: string,
  userId: string | undefined,
  { kind, id }: { kind: string; id: string },
) {
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - EDITING_MS)
  const editing = `${kind} ${id}`
  return { others: await queries.markEditing(ctx.db, projectId, { userId: userId ?? null, editing, now, since }) }
}

export async function listMembers(ctx: Context, projectId: string) {
  return { data: (await queries.listMembers(ctx.db, projectId)).map(showMember) }
}

/** The user who creates a project is its owner. */
export const addOwner = (tx: Tx, projectId: string, userId: string, now: Date): Promise<boolean> =>
  queries.insertMember(tx, projectId, { userId, role: 'OWNER', now })

/** Refuses an account that has created or owns too many projects. */
export async function countProject(ctx: Context, tx: Tx, userId: string): Promise<void> {
  await countAct(ctx, tx, { userId, kind: 'project' })
  const { RATE_LIMIT_PER_MINUTE: rateLimit, PROJECTS_PER_ACCOUNT: most } = ctx.settings
  if (rateLimit > 0 && (await queries.countOwnedProjects(tx, userId)) >= most) throw tooManyProjects(most)
}

const tooManyProjects = (most: number) =>
  new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', `You own ${countOf(most, 'project')}, which is the maximum.`, {
    details: { retryAfter: DAY_MS / 1000, limit: most },
    suggestion: 'Delete a project that you no longer need, or ask the operator to raise PROJECTS_PER_ACCOUNT.',
  })

export const findRole = (db: Database, projectId: string, userId: string): Promise<string | undefined> =>
  queries.findRole(db, projectId, userId)

/** The addresses of a project's owner and admins. */
export const listManagers = (tx: Tx, projectId: string): Promise<string[]> => queries.listManagers(tx, projectId)

/** A person without a confirmed account is refused, which is limited so that nobody can find out who has one. */
export async function addMember(ctx: Context, projectId: string, input: { email: string; role: string }, by: Actor) {
  refuseOwnerRole(input.role)
  refuseAdminByLimitedKey(input.role, by)
  const added = await transaction(ctx.db, async (tx) => {
    const actor = await accountBehind(tx, projectId, by)
    const attempt = { userId: actor.user_id, kind: 'unknown-address' } as const
    const refusal = await limitReached(ctx, tx, attempt)
    if (refusal) throw refusal
    const account = await queries.findAccount(tx, input.email)
    if (!account || !isAddressConfirmed(ctx, account)) {
      await countAct(ctx, tx, attempt)
      return undefined
    }
    const userId = account.id
    const now = ctx.clock.now()
    const isNew = await queries.insertMember(tx, projectId, { userId, role: input.role, now })
    if (!isNew) throw conflict(`${input.email} is already a member of this project.`)
    await queries.deleteInvitationOf(tx, projectId, input.email)
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'member.added', details: { userId, ...input } })
    await notifyAdded(ctx, tx, projectId, input, actor)
    await notifyOwner(ctx, tx, projectId, input, by)
    return { userId, email: input.email, role: input.role, createdAt: now }
  })
  if (!added) throw noAccount(input.email)
  return added
}

/** Without an email if the account behind the request may send no more of them. */
async function notifyAdded(
  ctx: Context,
  tx: Tx,
  projectId: string,
  { email, role }: { email: string; role: string },
  actor: queries.MemberRow,
): Promise<void> {
  if (!isAddressConfirmed(ctx, actor)) return
  if (await tryAct(ctx, tx, { userId: actor.user_id, kind: 'invitation', recipient: email })) return
  const project = await queries.findProjectName(tx, projectId)
  await enqueueNotice(ctx, tx, addedNotice({ to: email, role, project, baseUrl: ctx.baseUrl }))
}

/** The member who makes a request; for an API key, the owner of the project. */
async function accountBehind(tx: Tx, projectId: string, { actor }: Actor): Promise<queries.MemberRow> {
  const member =
    actor === 'key' ? await queries.findOwner(tx, projectId) : await queries.findMember(tx, projectId, actor)
  if (!member) throw notFound('project', projectId)
  return member
}

export async function changeMember(ctx: Context, projectId: string, userId: string, role: string, by: Actor) {
  return transaction(ctx.db, async (tx) => {
    const member = await queries.lockMember(tx, projectId, userId)
    if (!member) throw notFound('member', userId)
    if (member.role === 'OWNER') throw forbidden("The owner's role can't be changed.")
    refuseOwnerRole(role)
    refuseAdminByLimitedKey(role, by)
    if (member.role !== role) {
      await queries.setRole(tx, projectId, member.user_id, role)
      const details = { userId: member.user_id, email: member.email, from: member.role, to: role }
      await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'member.role-changed', details })
      await notifyOwner(ctx, tx, projectId, { email: member.email, role }, by)
    }
    return { ...showMember(member), role }
  })
}

export async function removeMember(ctx: Context, projectId: string, userId: string, by: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const member = await queries.lockMember(tx, projectId, userId)
    if (!member) throw notFound('member', userId)
    if (member.role === 'OWNER') throw forbidden("The owner can't be removed.")
    if (member.user_id === by.actor) throw forbidden("You can't remove yourself. Ask another admin.")
    await queries.deleteMember(tx, projectId, member.user_id)
    const details = { userId: member.user_id, email: member.email, role: member.role }
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'member.removed', details })
  })
}

/** Removes a person from the projects that others own. */
export const leaveProjects = (tx: Tx, userId: string): Promise<void> => queries.deleteMemberships(tx, userId)

function refuseOwnerRole(role: string): void {
  if (role === 'OWNER') throw forbidden('A project has exactly one owner. Use the role ADMIN or MEMBER.')
}

/** An admin can create any key, so a limited key could get rid of its limits by making someone an admin. */
function refuseAdminByLimitedKey(role: string, { key }: Actor): void {
  if (role !== 'ADMIN' || !key || isUnlimited(key)) return
  throw forbidden(
    "This API key can't make someone an admin, because an admin may do more than the key. Use the role MEMBER, a key with the scope full and no other limits, or the dashboard.",
  )
}

/**
 * Anyone can sign up with any address, so only a confirmed address proves whose account it is. Captured email reaches
 * nobody, so every address then counts as confirmed, as sender domains do.
 */
export const isAddressConfirmed = (ctx: Context, account: { email_verified_at: Date | null }): boolean =>
  account.email_verified_at !== null || ctx.mail.capabilities.captures

/** The same for an unconfirmed address, so that the response doesn't show which addresses have signed up. */
const noAccount = (email: string) =>
  new Refusal('not-found', 'RESOURCE_NOT_FOUND', `There is no account with the confirmed email address ${email}.`, {
    details: { resource: 'user', id: email },
    suggestion:
      'Invite the person with POST /projects/{id}/invitations. The link in the invitation confirms their address.',
  })

export async function invite(ctx: Context, projectId: string, input: { email: string; role: string }, by: Actor) {
  refuseOwnerRole(input.role)
  refuseAdminByLimitedKey(input.role, by)
  const now = ctx.clock.now()
  const token = randomBytes(32).toString('base64url')
  const row = { id: newId(now), ...input, now, expiresAt: new Date(now.getTime() + DAYS * DAY_MS) }
  return transaction(ctx.db, async (tx) => {
    if (await queries.isMemberByEmail(tx, projectId, input.email)) {
      throw conflict(`${input.email} is already a member of this project.`)
    }
    const actor = await accountBehind(tx, projectId, by)
    if (!isAddressConfirmed(ctx, actor)) throw unconfirmedInviter()
    await countAct(ctx, tx, { userId: actor.user_id, kind: 'invitation', recipient: input.email })
    const inviter = by.actor === 'key' ? undefined : actor
    await queries.replaceInvitation(tx, projectId, {
      ...row,
      tokenHash: hashKey(token),
      invitedBy: inviter?.user_id ?? null,
    })
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'invitation.made', details: { ...input } })
    const project = await queries.findProjectName(tx, projectId)
    const link = linkOf(ctx, token)
    const invitedBy = inviter?.email ?? null
    await enqueueNotice(ctx, tx, invitationNotice({ ...input, to: input.email, project, invitedBy, link, days: DAYS }))
    await notifyOwner(ctx, tx, projectId, input, by)
    return { id: row.id, ...input, invitedBy, createdAt: now, expiresAt: row.expiresAt }
  })
}

const linkOf = (ctx: Context, token: string) => `${ctx.baseUrl}/app/accept-invitation?token=${token}`

/**
 * A link that an admin passes on, for installations whose mail nobody receives. Only the hash of a token is stored, so
 * this is a new one. An admin has seen it, so using it doesn't confirm the address.
 */
export async function createInvitationLink(ctx: Context, projectId: string, id: string, by: Actor) {
  const now = ctx.clock.now()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + DAYS * DAY_MS)
  return transaction(ctx.db, async (tx) => {
    const invitation = isId(id)
      ? await queries.replaceToken(tx, projectId, { id, tokenHash: hashKey(token), now, expiresAt })
      : undefined
    if (!invitation) throw notFound('invitation', id)
    refuseAdminByLimitedKey(invitation.role, by)
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'invitation.link-created', details: invitation })
    await notifyOwner(ctx, tx, projectId, invitation, by)
    return { url: linkOf(ctx, token), expiresAt }
  })
}

/** A stolen key must not be able to make someone an admin unnoticed. */
async function notifyOwner(
  ctx: Context,
  tx: Tx,
  projectId: string,
  { email, role }: { email: string; role: string },
  by: Actor,
): Promise<void> {
  if (by.actor !== 'key' || role !== 'ADMIN') return
  const project = await queries.findProjectName(tx, projectId)
  const to = (await queries.findOwner(tx, projectId))?.email
  if (to) await enqueueNotice(ctx, tx, adminByKeyNotice({ to, email, project, baseUrl: ctx.baseUrl }))
}

/** Otherwise anyone could make this installation send email to any address. */
const unconfirmedInviter = () =>
  new Refusal('forbidden', 'FORBIDDEN', 'Your email address is not confirmed, so you can’t invite others yet.', {
    suggestion: 'Follow the link in the confirmation email, or request a new one, then send the invitation.',
  })

export async function listInvitations(ctx: Context, projectId: string) {
  return { data: (await queries.listInvitations(ctx.db, projectId, ctx.clock.now())).map(showInvitation) }
}

export async function withdrawInvitation(ctx: Context, projectId: string, id: string, by: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const gone = await queries.deleteInvitation(tx, projectId, id)
    if (!gone) throw notFound('invitation', id)
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'invitation.withdrawn', details: gone })
  })
}

/** What the page behind the link shows before the user signs in. */
export async function previewInvitation(ctx: Context, token: string) {
  const row = await queries.findInvitation(ctx.db, hashKey(token), ctx.clock.now())
  if (!row) throw expiredInvitation()
  const { email, role, project_name: projectName, invited_by_email: invitedBy } = row
  return { email, role, projectName, invitedBy, expiresAt: row.expires_at }
}

/** Makes the user a member and returns the project. An existing role is unchanged. */
export async function acceptInvitation(
  ctx: Context,
  tx: Tx,
  { token, userId, email, ip }: { token: string; userId: string; email: string; ip?: string | undefined },
): Promise<{ projectId: string; role: string; provesMailbox: boolean }> {
  const now = ctx.clock.now()
  const invitation = await queries.consumeInvitation(tx, hashKey(token), now)
  if (!invitation) throw expiredInvitation()
  if (invitation.email !== email) {
    throw forbidden(`This invitation is for ${invitation.email}. Sign in or sign up with that address.`)
  }
  const projectId = invitation.project_id
  await queries.insertMember(tx, projectId, { userId, role: invitation.role, now })
  const details = { userId, email, role: invitation.role }
  await recordAuditEntry(ctx, tx, { projectId, actor: userId, ip, act: 'invitation.accepted', details })
  const member = await queries.findMember(tx, projectId, userId)
  return { projectId, role: member!.role, provesMailbox: !invitation.link_shown }
}

export const deleteOldInvitations = (ctx: Context): Promise<void> =>
  queries.deleteExpiredInvitations(ctx.db, ctx.clock.now())

const expiredInvitation = () =>
  badRequest('This invitation has been accepted or revoked, or it has expired.', {
    suggestion: 'Ask for a new invitation.',
  })

const showInvitation = (row: queries.InvitationRow) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by_email,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const showMember = (row: queries.MemberRow) => ({
  userId: row.user_id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
})
