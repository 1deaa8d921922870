/** Members and invitations over HTTP. Everyone in the project sees them; admins and the owner change them. */
import { type Caller, idOf, type RequestFacts, route } from '../../platform/http/route.ts'
import {
  addMember,
  changeMember,
  invite,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
} from './actions.ts'
import { Invitation, Invitations, Member, MemberChange, Members, NewInvitation, NewMember } from './schemas.ts'

const actorOf = (caller: Caller, facts: RequestFacts) => ({ actor: caller.userId ?? 'key', ip: facts.ip })

export const memberRoutes = [
  route({
    method: 'GET',
    path: '/projects/{id}/members',
    access: 'own-project',
    tag: 'Members',
    summary: 'List the members of a project',
    params: { id: idOf('project') },
    replies: { 200: { description: 'The owner first', schema: Members } },
    handle: (ctx, { caller }) => listMembers(ctx, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/projects/{id}/members',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Add someone who has an account',
    description: 'They are told by mail. For someone without an account, make an invitation.',
    params: { id: idOf('project') },
    body: NewMember,
    replies: { 201: { description: 'The member', schema: Member } },
    refusals: [404, 409],
    handle: (ctx, { caller, body, facts }) => addMember(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'PATCH',
    path: '/projects/{id}/members/{userId}',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Change the role of a member',
    description: "The owner's role cannot be changed, and OWNER cannot be given.",
    params: { id: idOf('project'), userId: idOf('member') },
    body: MemberChange,
    replies: { 200: { description: 'The member', schema: Member } },
    handle: (ctx, { caller, params, body, facts }) =>
      changeMember(ctx, caller.projectId, params.userId, body.role, actorOf(caller, facts)),
  }),
  route({
    method: 'DELETE',
    path: '/projects/{id}/members/{userId}',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Remove a member',
    description: 'Their access ends with the next request. The owner cannot be removed, and nobody removes themselves.',
    params: { id: idOf('project'), userId: idOf('member') },
    replies: { 204: { description: 'Removed' } },
    handle: (ctx, { caller, params, facts }) =>
      removeMember(ctx, caller.projectId, params.userId, actorOf(caller, facts)),
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/invitations',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'List open invitations',
    params: { id: idOf('project') },
    replies: { 200: { description: 'Newest first', schema: Invitations } },
    handle: (ctx, { caller }) => listInvitations(ctx, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/projects/{id}/invitations',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Invite someone by mail',
    description:
      'Also someone without an account. The link works for 7 days, once, for that address. A new invitation for the same address replaces the old one. At most 50 a day.',
    params: { id: idOf('project') },
    body: NewInvitation,
    replies: { 201: { description: 'The invitation', schema: Invitation } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) => invite(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'DELETE',
    path: '/projects/{id}/invitations/{invitationId}',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Withdraw an invitation',
    params: { id: idOf('project'), invitationId: idOf('invitation') },
    replies: { 204: { description: 'Withdrawn; the link is dead' } },
    handle: (ctx, { caller, params, facts }) =>
      withdrawInvitation(ctx, caller.projectId, params.invitationId, actorOf(caller, facts)),
  }),
]
