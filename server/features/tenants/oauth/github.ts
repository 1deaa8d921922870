/**
 * GitHub uses OAuth 2 with PKCE, not OpenID Connect: after the code is exchanged, its API returns the user. Only the
 * primary address counts, and only if GitHub has verified it.
 */
import { createHash } from 'node:crypto'
import { type Attempt, type Identity, type Provider, ProviderRefusal } from './provider.ts'

const TIMEOUT_MS = 10_000

interface GithubEmail {
  email: string
  primary: boolean
  verified: boolean
}

export function githubProvider(base: string, client: { clientId: string; clientSecret: string }): Provider {
  const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`

  async function exchange(attempt: Attempt, code: string): Promise<string> {
    const reply = await requestJson(`${base}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: client.clientId,
        client_secret: client.clientSecret,
        code,
        redirect_uri: attempt.redirectUri,
        code_verifier: attempt.verifier,
      }),
    })
    const { access_token: token, error } = (reply ?? {}) as { access_token?: unknown; error?: unknown }
    if (typeof token !== 'string') throw new ProviderRefusal('refused', 'GitHub did not accept the sign-in.', error)
    return token
  }

  async function read<T>(path: string, token: string): Promise<T> {
    return (await requestJson(`${api}${path}`, { headers: { authorization: `Bearer ${token}` } })) as T
  }

  return {
    name: 'GitHub',
    issuer: base,
    async authorizationUrl({ state, verifier, redirectUri }) {
      const url = new URL(`${base}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: client.clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return url
    },
    async identify(attempt, answer): Promise<Identity> {
      const code = answer.get('code')
      if (answer.get('state') !== attempt.state)
        throw new ProviderRefusal('refused', 'The response does not match this sign-in request.')
      if (!code) throw new ProviderRefusal('refused', 'GitHub denied the sign-in.', answer.get('error'))
      const token = await exchange(attempt, code)
      const [user, emails] = await Promise.all([
        read<{ id?: unknown }>('/user', token),
        read<GithubEmail[]>('/user/emails', token),
      ])
      if (typeof user?.id !== 'number' || !Array.isArray(emails)) {
        throw new ProviderRefusal('away', 'GitHub returned an unexpected response.')
      }
      const primary = emails.find((entry) => entry.primary)
      return { subject: String(user.id), email: primary?.email, emailVerified: primary?.verified === true }
    },
  }
}

async function requestJson(url: string, init: RequestInit): Promise<unknown> {
  try {
    const headers = {
      accept: 'application/json',
      'user-agent': 'Posthorn',
      ...(init.headers as Record<string, string>),
    }
    const reply = await fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!reply.ok) throw new Error(`${new URL(url).pathname} responded with status ${reply.status}`)
    return await reply.json()
  } catch (error) {
    throw new ProviderRefusal('away', 'GitHub could not be reached.', error)
  }
}
