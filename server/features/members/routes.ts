/** Members and invitations over HTTP. Every member can read them; admins and the owner can change them. */
import { type Caller, idOf, type RequestFacts, route } from '../../platform/http/route.ts'
import {
  addMember,
  changeMember,
  createInvitationLink,
  invite,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
} from './actions.ts'
import {
  Invitation,
  InvitationLink,
  Invitations,
  Member,
  MemberChange,
  Members,
  NewInvitation,
  NewMember,
} from './schemas.ts'

const actorOf = (caller: Caller, facts: RequestFacts) => ({ actor: caller.userId ?? 'key', ip: facts.ip })

export const memberRoutes = [
  route({
    method: 'GET',
    path: '/projects/{id}/members',
    access: 'own-project',
    tag: 'Members',
    summary: 'List members',
    params: { id: idOf('project') },
    replies: { 200: { description: 'Members of the project, the owner first.', schema: Members } },
    handle: (ctx, { caller }) => listMembers(ctx, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/projects/{id}/members',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Add a member',
    description:
      'The person must have an account with a confirmed email address and is notified by email. For anyone else, create an invitation: its link confirms the address. With `MAIL_URL=capture:` no address can be confirmed, so every account is accepted.',
    params: { id: idOf('project') },
    body: NewMember,
    example: { email: 'grace@example.com', role: 'MEMBER' },
    replies: { 201: { description: 'The member.', schema: Member } },
    refusals: [404, 409],
    handle: (ctx, { caller, body, facts }) => addMember(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'PATCH',
    path: '/projects/{id}/members/{userId}',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: "Change a member's role",
    description: "The owner's role can't be changed, and the role OWNER can't be assigned.",
    params: { id: idOf('project'), userId: idOf('member') },
    body: MemberChange,
    example: { role: 'ADMIN' },
    replies: { 200: { description: 'The member.', schema: Member } },
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
    description: "Access ends immediately. The owner can't be removed, and you can't remove yourself.",
    params: { id: idOf('project'), userId: idOf('member') },
    replies: { 204: { description: 'Removed.' } },
    handle: (ctx, { caller, params, facts }) =>
      removeMember(ctx, caller.projectId, params.userId, actorOf(caller, facts)),
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/invitations',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'List pending invitations',
    params: { id: idOf('project') },
    replies: { 200: { description: 'Pending invitations, newest first.', schema: Invitations } },
    handle: (ctx, { caller }) => listInvitations(ctx, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/projects/{id}/invitations',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Create an invitation',
    description:
      'Invites a person by email, whether or not they have an account. The link expires after 7 days, works once, and only for that address. A new invitation to the same address replaces the old one. Limited to 50 per day.',
    params: { id: idOf('project') },
    body: NewInvitation,
    example: { email: 'alan@example.com', role: 'MEMBER' },
    replies: { 201: { description: 'The invitation.', schema: Invitation } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) => invite(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'DELETE',
    path: '/projects/{id}/invitations/{invitationId}',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Revoke an invitation',
    params: { id: idOf('project'), invitationId: idOf('invitation') },
    replies: { 204: { description: 'Revoked. The link no longer works.' } },
    handle: (ctx, { caller, params, facts }) =>
      withdrawInvitation(ctx, caller.projectId, params.invitationId, actorOf(caller, facts)),
  }),
  route({
    method: 'POST',
    path: '/projects/{id}/invitations/{invitationId}/link',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Members',
    summary: 'Create an invitation link',
    description:
      'Returns a link that you can pass on yourself, for example if the email did not arrive. Tokens are stored as hashes, so this is a new link: earlier links to the invitation stop working. It expires after 7 days. Because you have seen the link, accepting the invitation with it does not confirm the address.',
    params: { id: idOf('project'), invitationId: idOf('invitation') },
    replies: { 200: { description: 'The link.', schema: InvitationLink } },
    handle: (ctx, { caller, params, facts }) =>
      createInvitationLink(ctx, caller.projectId, params.invitationId, actorOf(caller, facts)),
  }),
]
