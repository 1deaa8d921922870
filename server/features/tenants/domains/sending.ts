/** The properties of the mail transport that determine what a domain must prove. */
import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { mailHostOf } from '../../../platform/smtp/open-server.ts'
import { parseMailUrl } from '../../../platform/transports/mail-url.ts'
import { type DomainFacts, isPublicHost, returnPathOf, type Sending, spfSenderOf } from './dns-records.ts'
import type { DomainRow } from './queries.ts'
import type { Presence } from './record-checks.ts'

export function sendingOf(ctx: Context): Sending {
  if (ctx.mail.identities) return { by: 'ses', region: ctx.mail.identities.region }
  const host = mailHostOf(ctx)
  const mail = parseMailUrl(ctx.settings.MAIL_URL)
  const spf = spfSenderOf(mail.kind === 'smtp' ? mail.host : '', host)
  const receivesBounces = ctx.settings.INBOUND_SMTP_PORT > 0 && isPublicHost(host) && isIP(host) === 0
  const records = { ...(spf && { spf }), ...(receivesBounces && { returnPathHost: host }) }
  if (ctx.mail.capabilities.captures) return { by: 'nobody', ...records }
  return { by: ctx.mail.capabilities.signing === 'by-provider' ? 'relay' : 'ourselves', ...records }
}

export const factsOf = (row: DomainRow): DomainFacts => ({
  domain: row.domain,
  ownershipToken: row.ownership_token,
  dkimSelector: row.dkim_selector,
  dkimPublicKey: row.dkim_public_key,
  ed25519:
    row.ed25519_selector === null ? null : { selector: row.ed25519_selector, publicKey: row.ed25519_public_key! },
  providerDkimTokens: row.provider_dkim_tokens,
})

export interface ProviderState {
  /** Whether the provider signs for the domain; absent if Posthorn signs. */
  signs?: Presence
  dkimTokens?: string[]
}

/** Empty if there is no provider. */
export async function fetchProviderState(ctx: Context, domain: string): Promise<ProviderState> {
  if (sendingOf(ctx).by === 'relay') return { signs: 'there' } // its keys are not known here
  const result = await ctx.mail.identities?.find(domain, returnPathOf(domain))
  if (!result) return {}
  if (result.outcome === 'unknown') {
    ctx.log.warn({ reason: result.reason }, 'SES returned no verification status for a domain')
    return { signs: 'unknown' }
  }
  return { signs: result.verified ? 'there' : 'missing', dkimTokens: result.dkimTokens }
}
