/**
 * The configured sign-in providers: GitHub, Google, and any OpenID Connect provider. Requests are only sent to these
 * hosts, never to one that a user enters.
 */

import { notFound } from '../../../kernel/errors.ts'
import type { Settings } from '../../../settings/config.ts'
import { githubProvider } from './github.ts'
import { oidcProvider } from './oidc.ts'
import type { Provider } from './provider.ts'

export type ProviderName = 'github' | 'google' | 'oidc'

export type Providers = ReadonlyMap<ProviderName, Provider>

const GOOGLE_ISSUER = 'https://accounts.google.com'

/** Created once per process, because the configuration of an OpenID Connect provider is fetched once. */
export function createProviders(settings: Settings): Providers {
  const providers = new Map<ProviderName, Provider>()
  const github = { clientId: settings.GITHUB_CLIENT_ID, clientSecret: settings.GITHUB_CLIENT_SECRET }
  if (github.clientId && github.clientSecret) providers.set('github', githubProvider(settings.GITHUB_URL, github))
  const google = { clientId: settings.GOOGLE_CLIENT_ID, clientSecret: settings.GOOGLE_CLIENT_SECRET }
  if (google.clientId && google.clientSecret) providers.set('google', oidcProvider('Google', GOOGLE_ISSUER, google))
  const oidc = { clientId: settings.OIDC_CLIENT_ID, clientSecret: settings.OIDC_CLIENT_SECRET }
  if (settings.OIDC_ISSUER && oidc.clientId) {
    providers.set('oidc', oidcProvider(settings.OIDC_NAME, settings.OIDC_ISSUER, oidc))
  }
  return providers
}

export function getProvider(providers: Providers, name: string): Provider {
  const provider = providers.get(name as ProviderName)
  if (!provider) throw notFound('sign-in provider', name)
  return provider
}
