/**
 * Sign-in providers, as the settings name them: GitHub, Google, and any one that speaks OpenID Connect. Requests go to
 * these addresses alone; nothing that a user writes leads anywhere.
 */
import type { Context } from '../../context.ts'
import { notFound } from '../../kernel/errors.ts'
import { githubProvider } from './oauth-github.ts'
import { oidcProvider } from './oauth-oidc.ts'
import type { Provider } from './oauth-provider.ts'

export type ProviderName = 'github' | 'google' | 'oidc'

const GOOGLE_ISSUER = 'https://accounts.google.com'

const known = new WeakMap<Context, Map<ProviderName, Provider>>()

export function getProvider(ctx: Context, name: string): Provider {
  const provider = providersOf(ctx).get(name as ProviderName)
  if (!provider) throw notFound('sign-in provider', name)
  return provider
}

/** Made once, because a provider that speaks OpenID Connect describes itself once. */
function providersOf(ctx: Context): Map<ProviderName, Provider> {
  let providers = known.get(ctx)
  if (!providers) {
    providers = new Map(configured(ctx))
    known.set(ctx, providers)
  }
  return providers
}

function configured({ settings }: Context): Array<[ProviderName, Provider]> {
  const list: Array<[ProviderName, Provider]> = []
  const github = { clientId: settings.GITHUB_CLIENT_ID, clientSecret: settings.GITHUB_CLIENT_SECRET }
  if (github.clientId && github.clientSecret) list.push(['github', githubProvider(settings.GITHUB_URL, github)])
  const google = { clientId: settings.GOOGLE_CLIENT_ID, clientSecret: settings.GOOGLE_CLIENT_SECRET }
  if (google.clientId && google.clientSecret) list.push(['google', oidcProvider('Google', GOOGLE_ISSUER, google)])
  const oidc = { clientId: settings.OIDC_CLIENT_ID, clientSecret: settings.OIDC_CLIENT_SECRET }
  if (settings.OIDC_ISSUER && oidc.clientId) {
    list.push(['oidc', oidcProvider(settings.OIDC_NAME, settings.OIDC_ISSUER, oidc)])
  }
  return list
}

/** Which buttons a sign-in page shows. */
export function oauthConfig(ctx: Context): { github: boolean; google: boolean; oidc?: { name: string } } {
  const providers = providersOf(ctx)
  const oidc = providers.get('oidc')
  return {
    github: providers.has('github'),
    google: providers.has('google'),
    ...(oidc && { oidc: { name: oidc.name } }),
  }
}
