/** Sign-up, sign-in and sign-out, links in emails, sessions, and two-factor sign-in. */
import { z } from 'zod'
import { type Caller, CustomResponse, idOf, type RequestFacts, route } from '../../../platform/http/route.ts'
import { previewInvitation } from '../members/actions.ts'
import { changePassword, changeUser, getUser, joinProject, logIn, signUp } from './actions.ts'
import { countRequest } from './attempts.ts'
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
  UserChanges,
  VerificationRequest,
} from './schemas.ts'
import { endOtherSessions, endSession, listSessions, logOut, type OpenedSession, originOf } from './sessions.ts'
import { requestPasswordReset, requestVerification, resetPassword, verifyEmail } from './tokens.ts'
import { beginTwoFactor, confirmTwoFactor, disableTwoFactor, renewRecoveryCodes, twoFactorState } from './two-factor.ts'

const signedIn = (status: number, { user, cookie }: OpenedSession) =>
  new CustomResponse(status, { success: true, data: user }, { 'set-cookie': cookie })

const cookiesOf = (facts: RequestFacts) => facts.headers.cookie as string | undefined

const success = () => ({ success: true as const })

const sessionOf = (caller: Caller) => ({ id: caller.sessionId!, userId: caller.userId! })

export const accountRoutes = [
  route({
    method: 'POST',
    path: '/auth/signup',
    client: 'auth.signup',
    access: 'open',
    tag: 'Accounts',
    summary: 'Create an account and sign in',
    description: 'Sends an email with a link to confirm the address.',
    body: Credentials,
    replies: { 201: { description: 'The account. The session is in the `token` cookie.', schema: SignedIn } },
    refusals: [400, 403, 409, 429],
    handle: async (ctx, { body, facts }) => {
      await countRequest(ctx, facts.ip)
      return signedIn(201, await signUp(ctx, body, originOf(facts)))
    },
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    client: 'auth.login',
    access: 'open',
    tag: 'Accounts',
    summary: 'Sign in',
    description:
      'After five failed attempts for an address from one network within 15 minutes, or fifty from anywhere, further attempts are refused until the 15 minutes have passed. If two-factor authentication is enabled, a request without `code` fails with `TWO_FACTOR_REQUIRED`; send it again with the code.',
    body: LoginCredentials,
    replies: { 200: { description: 'The account. The session is in the `token` cookie.', schema: SignedIn } },
    refusals: [401, 429],
    handle: async (ctx, { body, facts }) => signedIn(200, await logIn(ctx, body, originOf(facts))),
  }),
  route({
    method: 'GET',
    path: '/auth/logout',
    client: 'auth.logout',
    access: 'open',
    onlyFor: ['document', 'empty'],
    tag: 'Accounts',
    summary: 'Sign out',
    description: 'Browsers can open it as a page or fetch it. Requests for an image, a frame or a script are refused.',
    replies: { 200: { description: 'Signed out.', schema: Success } },
    refusals: [403],
    handle: async (ctx, { facts }) =>
      new CustomResponse(200, success(), { 'set-cookie': await logOut(ctx, cookiesOf(facts)) }),
  }),
  route({
    method: 'POST',
    path: '/auth/request-verification',
    client: 'auth.requestVerification',
    access: 'open',
    tag: 'Accounts',
    summary: 'Request a confirmation email',
    description: 'For the signed-in user, or for `email`. The response is the same whether or not the account exists.',
    body: VerificationRequest,
    replies: {
      200: { description: 'If the address needs to be confirmed, an email has been queued.', schema: Success },
    },
    refusals: [429],
    handle: async (ctx, { body, facts }) => {
      await countRequest(ctx, facts.ip)
      await requestVerification(ctx, { email: body?.email, cookieHeader: cookiesOf(facts) })
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/verify-email',
    client: 'auth.verifyEmail',
    access: 'open',
    tag: 'Accounts',
    summary: 'Confirm your email address',
    description: 'Requires the token from the email, which expires after one hour and can be used once.',
    body: EmailVerification,
    replies: { 200: { description: 'The account.', schema: SignedIn } },
    refusals: [400, 429],
    handle: async (ctx, { body, facts }) => {
      await countRequest(ctx, facts.ip)
      return { success: true, data: await verifyEmail(ctx, body.token) }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/request-password-reset',
    client: 'auth.requestPasswordReset',
    access: 'open',
    tag: 'Accounts',
    summary: 'Request a password reset',
    description:
      'Sends an email with a link to set a new password. The response is the same whether or not the account exists. Limited to five emails per hour.',
    body: PasswordResetRequest,
    replies: { 200: { description: 'If the account exists, an email has been queued.', schema: Success } },
    refusals: [429],
    handle: async (ctx, { body, facts }) => {
      await countRequest(ctx, facts.ip)
      await requestPasswordReset(ctx, body.email)
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset-password',
    client: 'auth.resetPassword',
    access: 'open',
    tag: 'Accounts',
    summary: 'Reset a password',
    description:
      'Requires the token from the email, which expires after one hour and can be used once. Ends all sessions of the account. If its address was never confirmed, two-factor authentication is turned off and the account is removed from projects that others own.',
    body: PasswordReset,
    replies: { 200: { description: 'The password was changed. Sign in with the new one.', schema: Success } },
    refusals: [400, 429],
    handle: async (ctx, { body, facts }) => {
      await countRequest(ctx, facts.ip)
      await resetPassword(ctx, body)
      return success()
    },
  }),
  route({
    method: 'POST',
    path: '/auth/change-password',
    client: 'auth.changePassword',
    access: 'session',
    tag: 'Accounts',
    summary: 'Change your password',
    description: 'Ends all sessions of the account. The response sets a new session in the `token` cookie.',
    body: PasswordChange,
    replies: { 200: { description: 'The account.', schema: SignedIn } },
    refusals: [403, 429],
    handle: async (ctx, { caller, body, facts }) =>
      signedIn(200, await changePassword(ctx, sessionOf(caller), body, originOf(facts))),
  }),
  route({
    method: 'POST',
    path: '/invitations/preview',
    client: 'projects.invitations.preview',
    access: 'open',
    readOnly: true,
    tag: 'Members',
    summary: 'Get an invitation',
    body: InvitationToken,
    replies: { 200: { description: 'The invitation.', schema: InvitationPreview } },
    refusals: [400],
    handle: (ctx, { body }) => previewInvitation(ctx, body.token),
  }),
  route({
    method: 'POST',
    path: '/invitations/accept',
    client: 'projects.invitations.accept',
    access: 'session',
    tag: 'Members',
    summary: 'Accept an invitation',
    description:
      'You must be signed in with the address the invitation was sent to. Accepting it also confirms your address.',
    body: InvitationToken,
    replies: { 200: { description: 'The project you joined.', schema: Joined } },
    refusals: [400, 403],
    handle: (ctx, { caller, body, facts }) => joinProject(ctx, sessionOf(caller), body.token, facts.ip),
  }),
  route({
    method: 'GET',
    path: '/users/@me',
    client: 'auth.me',
    access: 'session',
    tag: 'Accounts',
    summary: 'Get the signed-in user',
    replies: { 200: { description: 'The account.', schema: User } },
    handle: (ctx, { caller }) => getUser(ctx, caller.sessionId!),
  }),
  route({
    method: 'PATCH',
    path: '/users/@me',
    client: 'auth.updateMe',
    access: 'session',
    strict: true,
    tag: 'Accounts',
    summary: 'Update the signed-in user',
    description: 'Only the fields you send change.',
    body: UserChanges,
    example: { language: 'de' },
    replies: { 200: { description: 'The account.', schema: User } },
    handle: (ctx, { caller, body }) => changeUser(ctx, sessionOf(caller), body),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    client: 'auth.sessions.list',
    access: 'session',
    tag: 'Accounts',
    summary: 'List your sessions',
    replies: {
      200: { description: 'Your sessions, newest first.', schema: z.object({ data: z.array(SessionEntry) }) },
    },
    handle: (ctx, { caller }) => listSessions(ctx, sessionOf(caller)),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions',
    client: 'auth.sessions.revokeOthers',
    access: 'session',
    tag: 'Accounts',
    summary: 'End all other sessions',
    replies: { 200: { description: 'The number of sessions ended.', schema: z.object({ ended: z.number().int() }) } },
    handle: (ctx, { caller }) => endOtherSessions(ctx, sessionOf(caller)),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    client: 'auth.sessions.revoke',
    access: 'session',
    tag: 'Accounts',
    summary: 'End one of your sessions',
    params: { id: idOf('session') },
    replies: { 204: { description: 'Ended.' } },
    handle: (ctx, { caller, params }) => endSession(ctx, sessionOf(caller), params.id),
  }),
  route({
    method: 'GET',
    path: '/auth/two-factor',
    client: 'auth.twoFactor.get',
    access: 'session',
    tag: 'Accounts',
    summary: 'Get the two-factor status',
    replies: { 200: { description: 'Whether two-factor authentication is enabled.', schema: TwoFactorState } },
    handle: (ctx, { caller }) => twoFactorState(ctx, sessionOf(caller)),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor',
    client: 'auth.twoFactor.start',
    access: 'session',
    tag: 'Accounts',
    summary: 'Set up two-factor authentication',
    description:
      'Returns a secret for an authenticator app. Two-factor authentication is enabled once you confirm a code generated with it. Your email address must be confirmed.',
    body: TwoFactorBegin,
    replies: { 200: { description: 'The secret.', schema: TwoFactorSecret } },
    refusals: [403, 409, 429],
    handle: (ctx, { caller, body }) => beginTwoFactor(ctx, sessionOf(caller), body.password),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/confirm',
    client: 'auth.twoFactor.confirm',
    access: 'session',
    tag: 'Accounts',
    summary: 'Enable two-factor authentication',
    description: 'Ends all other sessions of the account.',
    body: TwoFactorConfirmation,
    replies: {
      200: {
        description:
          'Two-factor authentication is enabled. Store the ten recovery codes safely; they are shown only once.',
        schema: RecoveryCodes,
      },
    },
    refusals: [403, 409],
    handle: (ctx, { caller, body, facts }) => confirmTwoFactor(ctx, sessionOf(caller), body.code, facts.ip),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    client: 'auth.twoFactor.renewRecoveryCodes',
    access: 'session',
    tag: 'Accounts',
    summary: 'Regenerate recovery codes',
    description: 'The old codes stop working immediately.',
    body: BothFactors,
    replies: { 200: { description: 'Ten new recovery codes.', schema: RecoveryCodes } },
    refusals: [409, 429],
    handle: (ctx, { caller, body }) => renewRecoveryCodes(ctx, sessionOf(caller), body),
  }),
  route({
    method: 'POST',
    path: '/auth/two-factor/disable',
    client: 'auth.twoFactor.disable',
    access: 'session',
    tag: 'Accounts',
    summary: 'Disable two-factor authentication',
    description: 'Requires your password and a code.',
    body: BothFactors,
    replies: { 204: { description: 'Disabled.' } },
    refusals: [409, 429],
    handle: async (ctx, { caller, body, facts }) => {
      await disableTwoFactor(ctx, sessionOf(caller), body, facts.ip)
      return new CustomResponse(204, undefined)
    },
  }),
]
