/** Where you are signed in, and two-factor sign-in. */
import { z } from 'zod'
import { Answer, type Caller, idOf, route } from '../../platform/http/route.ts'
import {
  BothFactors,
  RecoveryCodes,
  SessionEntry,
  TwoFactorBegin,
  TwoFactorConfirmation,
  TwoFactorSecret,
  TwoFactorState,
} from './schemas.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { beginTwoFactor, confirmTwoFactor, disableTwoFactor, renewRecoveryCodes, twoFactorState } from './two-factor.ts'

const sessionOf = (caller: Caller) => ({ id: caller.sessionId!, userId: caller.userId! })

export const sessionRoutes = [
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
