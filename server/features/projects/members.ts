/**
 * Members of a project. The owner is the one who made it and stays; everyone else comes and goes by an admin's word.
 * Membership is looked up at every request, so a removal holds from the next one on.
 */
import type { Context } from '../../context.ts'
import { conflict, forbidden, notFound, Refusal } from '../../kernel/errors.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { enqueueNotice } from '../notices/actions.ts'
import { type Actor, recordAct } from './audit.ts'
import { deleteInvitationOf } from './invitation-queries.ts'
import { addedNotice } from './member-notices.ts'
import * as queries from './member-queries.ts'

export async function listMembers(ctx: Context, projectId: string) {
  return { data: (await queries.listMembers(ctx.db, projectId)).map(showMember) }
}

export async function addMember(ctx: Context, projectId: string, input: { email: string; role: string }, by: Actor) {
  refuseOwnerRole(input.role)
  return transaction(ctx.db, async (tx) => {
    const userId = await queries.findUserId(tx, input.email)
    if (!userId) throw noAccount(input.email)
    const now = ctx.clock.now()
    const added = await queries.insertMember(tx, projectId, { userId, role: input.role, now })
    if (!added) throw conflict(`${input.email} is a member of this project already.`)
    await deleteInvitationOf(tx, projectId, input.email)
    await recordAct(ctx, tx, { projectId, ...by, act: 'member.added', details: { userId, ...input } })
    const project = await queries.findProjectName(tx, projectId)
    await enqueueNotice(ctx, tx, addedNotice({ ...input, to: input.email, project, baseUrl: ctx.baseUrl }))
    return { userId, email: input.email, role: input.role, createdAt: now }
  })
}

export async function changeMember(ctx: Context, projectId: string, userId: string, role: string, by: Actor) {
  return transaction(ctx.db, async (tx) => {
    const member = await queries.lockMember(tx, projectId, userId)
    if (!member) throw notFound('member', userId)
    if (member.role === 'OWNER') throw forbidden("The owner's role cannot be changed.")
    refuseOwnerRole(role)
    if (member.role !== role) {
      await queries.setRole(tx, projectId, member.user_id, role)
      const details = { userId: member.user_id, email: member.email, from: member.role, to: role }
      await recordAct(ctx, tx, { projectId, ...by, act: 'member.role-changed', details })
    }
    return { ...showMember(member), role }
  })
}

export async function removeMember(ctx: Context, projectId: string, userId: string, by: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const member = await queries.lockMember(tx, projectId, userId)
    if (!member) throw notFound('member', userId)
    if (member.role === 'OWNER') throw forbidden('The owner cannot be removed.')
    if (member.user_id === by.actor) throw forbidden('You cannot remove yourself. Ask another admin.')
    await queries.deleteMember(tx, projectId, member.user_id)
    const details = { userId: member.user_id, email: member.email, role: member.role }
    await recordAct(ctx, tx, { projectId, ...by, act: 'member.removed', details })
  })
}

export function refuseOwnerRole(role: string): void {
  if (role === 'OWNER') throw forbidden('A project has one owner. Give the role ADMIN or MEMBER.')
}

const noAccount = (email: string) =>
  new Refusal('not-found', 'RESOURCE_NOT_FOUND', `There is no account with the address ${email}.`, {
    details: { resource: 'user', id: email },
    suggestion: 'Invite the person with POST /projects/{id}/invitations: they can then create an account.',
  })

const showMember = (row: queries.MemberRow) => ({
  userId: row.user_id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
})
