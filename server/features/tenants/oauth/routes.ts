/** Sign-in with a provider over HTTP. Browsers open these URLs directly, so errors are shown as pages. */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { CustomResponse, type RequestFacts, route } from '../../../platform/http/route.ts'
import { originOf } from '../accounts/sessions.ts'
import { beginOauth, explain, finishOauth, finishSecondFactor, oauthConfig, type Step } from './actions.ts'
import { codePage, failurePage, OAUTH_POLICY } from './pages.ts'
import type { Providers } from './providers.ts'

interface Services {
  signInProviders: Providers
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': OAUTH_POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const STATUS = { refused: 400, code: 401, 'not-allowed': 403, 'too-many': 429, away: 503 }

const page = (description: string) => ({ description, contentType: 'text/html' })

const PAGES = {
  400: page('An error page: the sign-in was not started in this browser, or it expired.'),
  403: page('An error page: this account is not allowed to sign in.'),
  503: page('An error page: the provider could not be reached.'),
}

const redirectTo = ({ location, cookies }: Step, status = 302): CustomResponse =>
  new CustomResponse(status, undefined, { location, 'set-cookie': cookies, 'cache-control': 'no-store' })

const askForCode = (ctx: Context, status: number, cookies: string[], wrong?: string): CustomResponse =>
  new CustomResponse(status, codePage(`${ctx.baseUrl}/auth/oauth/code`, wrong), {
    ...HEADERS,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  })

function errorPageFor(ctx: Context, error: unknown): CustomResponse {
  const { reason, message } = explain(ctx, error)
  if (reason === 'code') return askForCode(ctx, STATUS.code, [], message)
  return new CustomResponse(STATUS[reason], failurePage(message, `${ctx.baseUrl}/app`), HEADERS)
}

const cookiesOf = (facts: RequestFacts) => facts.headers.cookie as string | undefined

const OauthConfig = z.object({
  github: z.boolean(),
  google: z.boolean(),
  oidc: z.object({ name: z.string() }).optional(),
})

/** Providers can add parameters, and some of them must be checked. */
const CallbackQuery = z.looseObject({
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
})

export const oauthRoutes = [
  route({
    method: 'GET',
    path: '/auth/oauth-config',
    client: 'auth.oauthConfig',
    access: 'open',
    tag: 'Accounts',
    summary: 'List sign-in providers',
    replies: {
      200: { description: '`oidc` is present if an OpenID Connect provider is configured.', schema: OauthConfig },
    },
    handle: (_ctx, _input, { signInProviders }: Services) => oauthConfig(signInProviders),
  }),
  route({
    method: 'GET',
    path: '/auth/oauth/{provider}',
    access: 'open',
    onlyFor: ['document', 'empty'],
    tag: 'Accounts',
    summary: 'Sign in with a provider',
    description:
      'Redirect the browser to this URL; the provider is `github`, `google` or `oidc`. After signing in, the browser returns with a session.',
    params: { provider: 'text' },
    query: z.object({
      next: z.string().optional().meta({ description: 'A path on this installation to redirect to afterwards.' }),
    }),
    replies: { 302: { description: 'Redirects to the provider.' }, 503: PAGES[503] },
    refusals: [403, 404],
    handle: (ctx, { params, query }, { signInProviders }: Services) =>
      beginOauth(ctx, signInProviders, params.provider, query.next).then(redirectTo, (error) =>
        errorPageFor(ctx, error),
      ),
  }),
  route({
    method: 'GET',
    path: '/auth/oauth/{provider}/callback',
    access: 'open',
    onlyFor: ['document', 'empty'],
    tag: 'Accounts',
    summary: 'Complete a sign-in with a provider',
    params: { provider: 'text' },
    query: CallbackQuery,
    replies: { 200: page('A page that asks for the two-factor code.'), 302: { description: 'Signed in.' }, ...PAGES },
    refusals: [404],
    handle: async (ctx, { params, query, facts }, { signInProviders }: Services) => {
      const answer = new URLSearchParams(query as Record<string, string>) // all values of a query are strings
      try {
        const result = await finishOauth(
          ctx,
          signInProviders,
          params.provider,
          answer,
          cookiesOf(facts),
          originOf(facts),
        )
        return 'needsCode' in result ? askForCode(ctx, 200, result.needsCode) : redirectTo(result)
      } catch (error) {
        return errorPageFor(ctx, error)
      }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/oauth/code',
    access: 'open',
    form: true,
    tag: 'Accounts',
    summary: 'Submit the two-factor code after signing in with a provider',
    description:
      'Receives the form of the two-factor page. The `oauth` cookie proves that the first step was completed.',
    body: z.object({ code: z.string().max(100).catch('') }).optional(),
    replies: {
      303: { description: 'Signed in.' },
      401: page('The page again, because the code was incorrect.'),
      429: page('An error page: too many incorrect codes.'),
      ...PAGES,
    },
    handle: (ctx, { body, facts }) =>
      finishSecondFactor(ctx, body?.code ?? '', cookiesOf(facts), originOf(facts)).then(
        (step) => redirectTo(step, 303),
        (error) => errorPageFor(ctx, error),
      ),
  }),
]
