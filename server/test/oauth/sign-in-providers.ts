/**
 * Sign-in providers on loopback: a real OpenID Connect provider from npm, used like a browser would, and a double of
 * GitHub that follows its documentation, including PKCE.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'

export const CLIENT = { id: 'posthorn', secret: 'a secret of at least thirty-two characters' }

export interface Account {
  email?: string
  email_verified?: boolean
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, close }
}

/** `accounts`: by the login that is entered, which is also the provider's ID of the person. */
export async function startOidcProvider(redirectUri: string, accounts: Record<string, Account>) {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const { url, close } = await listen((request, response) => handle(request, response))
  handle = new OidcProvider(url, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts[id] }),
    }),
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 }, // avoids a warning
    cookies: { keys: [randomBytes(16).toString('hex')] },
  }).callback()
  return { url, close }
}

/** Signs in at the provider like a browser; returns the URL to which it redirects in the end. */
export async function walkThrough(start: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      jar.set(name!, value!)
    }
    return reply
  }

  let url = start
  const origin = new URL(start).origin
  for (let hops = 0; hops < 20; hops++) {
    if (new URL(url).origin !== origin) return new URL(url)
    let reply = await visit(url)
    if (reply.status === 200) {
      const page = await reply.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (!prompt) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`)
      reply = await visit(url, prompt === 'login' ? { prompt, login, password: 'any' } : { prompt })
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`The provider answered ${reply.status}: ${await reply.text()}`)
    url = new URL(location, url).href
  }
  throw new Error('The provider sends the browser in circles.')
}

export interface GithubPerson {
  id: number
  emails: Array<{ email: string; primary: boolean; verified: boolean }>
}

/** GitHub, or an Enterprise server: the API is under /api/v3. */
export async function startGithub() {
  const codes = new Map<string, { challenge: string; redirectUri: string; person: GithubPerson }>()
  const tokens = new Map<string, GithubPerson>()
  const answer = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  async function exchange(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    const granted = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const right =
      granted?.challenge === challenge &&
      granted.redirectUri === form.get('redirect_uri') &&
      form.get('client_id') === CLIENT.id &&
      form.get('client_secret') === CLIENT.secret
    if (!right) return answer(response, 200, { error: 'bad_verification_code' })
    const token = randomBytes(8).toString('hex')
    tokens.set(token, granted.person)
    return answer(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  const { url, close } = await listen((request, response) => {
    if (request.url === '/login/oauth/access_token') return void exchange(request, response)
    const person = tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (!person) return answer(response, 401, { message: 'Bad credentials' })
    if (request.url === '/api/v3/user') return answer(response, 200, { id: person.id, login: 'octocat' })
    if (request.url === '/api/v3/user/emails') return answer(response, 200, person.emails)
    return answer(response, 404, { message: 'Not Found' })
  })

  return {
    url,
    close,
    /** The person allows the sign-in; returns the URL to which GitHub redirects the browser. */
    allow(start: string, person: GithubPerson): URL {
      const asked = new URL(start)
      const code = randomBytes(8).toString('hex')
      const redirectUri = asked.searchParams.get('redirect_uri')!
      codes.set(code, { challenge: asked.searchParams.get('code_challenge')!, redirectUri, person })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state: asked.searchParams.get('state')! }).toString()
      return back
    },
  }
}
