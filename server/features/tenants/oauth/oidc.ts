/** Any OpenID Connect provider, including Google: authorization code with PKCE, state and nonce. */
import * as client from 'openid-client'
import { type Identity, type Provider, ProviderRefusal } from './provider.ts'

const TIMEOUT_SECONDS = 10

export function oidcProvider(
  name: string,
  issuer: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Provider {
  let described: Promise<client.Configuration> | undefined

  /** The provider's configuration is fetched once; if that fails, the next sign-in fetches it again. */
  function configuration(): Promise<client.Configuration> {
    described ??= describe().catch((error: unknown) => {
      described = undefined
      throw new ProviderRefusal('away', `${name} could not be reached.`, error)
    })
    return described
  }

  async function describe(): Promise<client.Configuration> {
    const url = new URL(issuer)
    const auth = clientSecret ? secretAs(clientSecret) : client.None()
    return client.discovery(url, clientId, undefined, auth, {
      timeout: TIMEOUT_SECONDS,
      // The settings allow http on loopback only.
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    })
  }

  return {
    name,
    issuer: issuer.replace(/\/+$/, ''),
    async authorizationUrl({ state, nonce, verifier, redirectUri }) {
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async identify(attempt, answer): Promise<Identity> {
      const config = await configuration()
      const address = new URL(attempt.redirectUri)
      address.search = answer.toString()
      try {
        const tokens = await client.authorizationCodeGrant(config, address, {
          pkceCodeVerifier: attempt.verifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
        })
        const claims = tokens.claims()!
        const { email, email_verified: verified } =
          typeof claims.email === 'string'
            ? claims
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        return {
          subject: claims.sub,
          email: typeof email === 'string' ? email : undefined,
          emailVerified: verified === true || verified === 'true', // some write it as text
        }
      } catch (error) {
        throw new ProviderRefusal('refused', `${name} denied the sign-in.`, error)
      }
    },
  }
}

/** The authentication method that the provider supports; basic by default. */
function secretAs(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = supported.includes('client_secret_basic') ? basic : post
    auth(server, ...rest)
  }
}
