/** Signing up, in and out, the links in our mails, where you are signed in, and two-factor sign-in. */
import { z } from 'zod'
import { Answer, type Caller, idOf, type RequestFacts, route } from '../../platform/http/route.ts'
import { previewInvitation } from '../members/actions.ts'
import { changePassword, getUser, joinProject, logIn, signUp } from './actions.ts'
import {
  BothFactors,
  Credentials,
  EmailVerification,
  InvitationPreview,
  InvitationToken,
  Joined,
  LoginCredentials,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  RecoveryCodes,
  SessionEntry,
  SignedIn,
  Success,
  TwoFactorBegin,
  TwoFactorConfirmation,
  TwoFactorSecret,
  TwoFactorState,
  User,
  VerificationRequest,
} from './schemas.ts'
import { type Entrance, endOtherSessions, endSession, listSessions, logOut, originOf } from './sessions.ts'
import { requestPasswordReset, requestVerification, resetPassword, verifyEmail } from './tokens.ts'
import { beginTwoFactor, confirmTwoFactor, disableTwoFactor, renewRecoveryCodes, twoFactorState } from './two-factor.ts'

const welcome = (status: number, { user, cookie }: Entrance) =>
  new Answer(status, { success: true, data: user }, { 'set-cookie': cookie })

const cookiesOf = (facts: RequestFacts) => facts.headers.cookie as string | undefined

const success = () => ({ success: true as const })

const sessionOf = (caller: Caller) => ({ id: caller.sessionId!, userId: caller.userId! })

export const accountRoutes = [
  route({
    method: 'POST',
    path: '/auth/signup',
    access: 'open',
    tag: 'Accounts',
    summary: 'Create an account and sign in',
    description: 'A mail asks to confirm the address.',
    body: Credentials,
    replies: { 201: { description: 'The account; the session is in the cookie `token`', schema: SignedIn } },
    refusals: [400, 403, 409],
    handle: async (ctx, { body, facts }) => welcome(201, await signUp(ctx, body, originOf(facts))),
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'open',
    tag: 'Accounts',
    summary: 'Sign in',
    description:
      'Five failures for one address within 15 minutes close the door for the rest of that time. Where two-factor sign-in is on, a call without `code` is refused with `TWO_FACTOR_REQUIRED`: send it again with the code.',
    body: LoginCredentials,
    replies: { 200: { description: 'The account; the session is in the cookie `token`', schema: SignedIn } },
    refusals: [401, 429],
    handle: async (ctx, { body, facts }) => welcome(200, await logIn(ctx, body, originOf(facts))),
  }),
  route({
    method: 'GET',
    path: '/auth/logout',
    access: 'open',
    tag: 'Accounts',
    summary: 'Sign out',
    replies: { 200: { description: 'The session is over', schema: Success } },
    handle: async (ctx, { facts }) => new Answer(200, success(), { 'set-cookie': await logOut(ctx, cookiesOf(facts)) }),
  }),
  route({
    method: 'POST',
    path: '/auth/request-verification',
    access: 'open',
    tag: 'Accounts',
    summary: 'Ask for a mail that confirms your address',
    description:
      'For the signed-in person, or for `email`. The answer is the same whether there is such an account or not.',
    body: VerificationRequest,
    replies: { 200: { description: 'If there is something to confirm, a mail is on its way', schema: Success } },
    handle: async (ctx, { body, facts }) => {
      await requestVerification(ctx, { email: body?.email, cookieHeader: cookiesOf(facts) })
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/verify-email',
    access: 'open',
    tag: 'Accounts',
    summary: 'Confirm your address',
    description: 'With the token from the mail, which works for an hour, once.',
    body: EmailVerification,
    replies: { 200: { description: 'The account', schema: SignedIn } },
    refusals: [400],
    handle: async (ctx, { body }) => ({ success: true, data: await verifyEmail(ctx, body.token) }),
  }),
  route({
    method: 'POST',
    path: '/auth/request-password-reset',
    access: 'open',
    tag: 'Accounts',
    summary: 'Ask for a mail to set a new password',
    description: 'The answer is the same whether there is such an account or not. At most five mails an hour.',
    body: PasswordResetRequest,
    replies: { 200: { description: 'If there is such an account, a mail is on its way', schema: Success } },
    handle: async (ctx, { body }) => {
      await requestPasswordReset(ctx, body.email)
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'open',
    tag: 'Accounts',
    summary: 'Set a new password',
    description: 'With the token from the mail, which works for an hour, once. Ends all sessions of the account.',
    body: PasswordReset,
    replies: { 200: { description: 'Sign in with the new password', schema: Success } },
    refusals: [400],
    handle: async (ctx, { body }) => {
      await resetPassword(ctx, body)
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/change-password',
    access: 'session',
    tag: 'Accounts',
    summary: 'Change your password',
    description: 'Ends all sessions of the account; the reply carries a new one in the cookie `token`.',
    body: PasswordChange,
    replies: { 200: { description: 'The account', schema: SignedIn } },
    refusals: [403, 429],
    handle: async (ctx, { caller, body, facts }) =>
      welcome(200, await changePassword(ctx, sessionOf(caller), body, originOf(facts))),
  }),
  route({
    method: 'POST',
    path: '/invitations/preview',
    access: 'open',
    readOnly: true,
    tag: 'Members',
    summary: 'See what an invitation is to',
    body: InvitationToken,
    replies: { 200: { description: 'The invitation', schema: InvitationPreview } },
    refusals: [400],
    handle: (ctx, { body }) => previewInvitation(ctx, body.token),
  }),
  route({
    method: 'POST',
    path: '/invitations/accept',
    access: 'session',
    tag: 'Members',
    summary: 'Accept an invitation',
    description: 'You must be signed in with the address it was sent to. Your address is confirmed by it.',
    body: InvitationToken,
    replies: { 200: { description: 'The project you are in now', schema: Joined } },
    refusals: [400, 403],
    handle: (ctx, { caller, body, facts }) => joinProject(ctx, sessionOf(caller), body.token, facts.ip),
  }),
  route({
    method: 'GET',
    path: '/users/@me',
    access: 'session',
    tag: 'Accounts',
    summary: 'Who is signed in',
    replies: { 200: { description: 'The account', schema: User } },
    handle: (ctx, { caller }) => getUser(ctx, caller.sessionId!),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    access: 'session',
    tag: 'Accounts',
    summary: 'List where you are signed in',
    replies: { 200: { description: 'Newest first', schema: z.object({ data: z.array(SessionEntry) }) } },
    handle: (ctx, { caller }) => listSessions(ctx, sessionOf(caller)),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'session',
    tag: 'Accounts',
    summary: 'Sign out everywhere else',
    replies: { 200: { description: 'How many sessions ended', schema: z.object({ ended: z.number().int() }) } },
    handle: (ctx, { caller }) => endOtherSessions(ctx, sessionOf(caller)),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: 'session',
    tag: 'Accounts',
    summary: 'End one of your sessions',
    params: { id: idOf('session') },
    replies: { 204: { description: 'Ended' } },
    handle: (ctx, { caller, params }) => endSession(ctx, sessionOf(caller), params.id),
  }),
  route({
    method: 'GET',
    path: '/auth/two-factor',
    access: 'session',
    tag: 'Accounts',
    summary: 'Whether two-factor sign-in is on',
    replies: { 200: { description: 'Its state', schema: TwoFactorState } },
    handle: (ctx, { caller }) => twoFactorState(ctx, sessionOf(caller)),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor',
    access: 'session',
    tag: 'Accounts',
    summary: 'Begin with two-factor sign-in',
    description: 'Gives a secret for an authenticator app. It is on once a code made with it is confirmed.',
    body: TwoFactorBegin,
    replies: { 200: { description: 'The secret', schema: TwoFactorSecret } },
    refusals: [403, 409, 429],
    handle: (ctx, { caller, body }) => beginTwoFactor(ctx, sessionOf(caller), body.password),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/confirm',
    access: 'session',
    tag: 'Accounts',
    summary: 'Turn two-factor sign-in on',
    body: TwoFactorConfirmation,
    replies: { 200: { description: 'It is on; ten recovery codes to keep', schema: RecoveryCodes } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) => confirmTwoFactor(ctx, sessionOf(caller), body.code, facts.ip),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    access: 'session',
    tag: 'Accounts',
    summary: 'Make new recovery codes',
    description: 'The old ones are dead.',
    body: BothFactors,
    replies: { 200: { description: 'Ten new ones', schema: RecoveryCodes } },
    refusals: [409, 429],
    handle: (ctx, { caller, body }) => renewRecoveryCodes(ctx, sessionOf(caller), body),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/disable',
    access: 'session',
    tag: 'Accounts',
    summary: 'Turn two-factor sign-in off',
    description: 'Needs both factors.',
    body: BothFactors,
    replies: { 204: { description: 'It is off' } },
    refusals: [409, 429],
    handle: async (ctx, { caller, body, facts }) => {
      await disableTwoFactor(ctx, sessionOf(caller), body, facts.ip)
      return new Answer(204, undefined)
    },
  }),
]
