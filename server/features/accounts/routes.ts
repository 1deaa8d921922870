/** Signing up, in and out, and who is signed in. */
import { z } from 'zod'
import { Answer, type RequestFacts, route } from '../../platform/http/route.ts'
import { getUser, logIn, logOut, signUp } from './actions.ts'
import { Credentials, LoginCredentials, SignedIn, User } from './schemas.ts'

type Entrance = Awaited<ReturnType<typeof logIn>>

const welcome = (status: number, { user, cookie }: Entrance) =>
  new Answer(status, { success: true, data: user }, { 'set-cookie': cookie })

const cookiesOf = (facts: RequestFacts) => facts.headers.cookie as string | undefined

export const accountRoutes = [
  route({
    method: 'POST',
    path: '/auth/signup',
    access: 'open',
    tag: 'Accounts',
    summary: 'Create an account and sign in',
    body: Credentials,
    replies: { 201: { description: 'The account; the session is in the cookie `token`', schema: SignedIn } },
    refusals: [403, 409],
    handle: async (ctx, { body }) => welcome(201, await signUp(ctx, body)),
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'open',
    tag: 'Accounts',
    summary: 'Sign in',
    description: 'Five failures for one address within 15 minutes close the door for the rest of that time.',
    body: LoginCredentials,
    replies: { 200: { description: 'The account; the session is in the cookie `token`', schema: SignedIn } },
    refusals: [401, 429],
    handle: async (ctx, { body }) => welcome(200, await logIn(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/auth/logout',
    access: 'open',
    tag: 'Accounts',
    summary: 'Sign out',
    replies: { 200: { description: 'The session is over', schema: z.object({ success: z.literal(true) }) } },
    handle: async (ctx, { facts }) =>
      new Answer(200, { success: true }, { 'set-cookie': await logOut(ctx, cookiesOf(facts)) }),
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
]
