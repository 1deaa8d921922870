/**
 * Domains in Amazon SES: registered on first use, with the names of the DKIM records and whether the domain can send.
 * Plain HTTP signed with SigV4. If SES is unavailable, there is no result.
 */
import { AwsClient } from 'aws4fetch'
import type { IdentityResult } from './transport.ts'

export interface SesAccess {
  /** Empty for Amazon's own endpoint. */
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Empty if there is none. */
  sessionToken: string
}

type RegionalAccess = SesAccess & { region: string }

interface IdentityReply {
  VerifiedForSendingStatus?: boolean
  DkimAttributes?: { Tokens?: string[] }
}

const WITHIN_MS = 5_000

/** Registers the domain in SES if necessary, with `mailFrom` as the domain for bounces. */
export async function findSesIdentity(
  access: RegionalAccess,
  domain: string,
  mailFrom: string,
): Promise<IdentityResult> {
  try {
    const call = callerOf(access)
    const path = `/v2/email/identities/${encodeURIComponent(domain)}`
    const known = await call('GET', path)
    if (known.status === 200) return found((await known.json()) as IdentityReply)
    if (known.status !== 404) return { outcome: 'unknown', reason: `SES responded with status ${known.status}` }

    const made = await call('POST', '/v2/email/identities', { EmailIdentity: domain })
    if (made.status !== 200) return { outcome: 'unknown', reason: `SES responded with status ${made.status}` }
    await call('PUT', `${path}/mail-from`, { MailFromDomain: mailFrom, BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' })
    return found((await made.json()) as IdentityReply)
  } catch (error) {
    return { outcome: 'unknown', reason: `SES can't be reached: ${(error as Error).message}` }
  }
}

function callerOf({ region, endpoint, accessKeyId, secretAccessKey, sessionToken }: RegionalAccess) {
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  const client = new AwsClient({ ...keys, service: 'ses', region, retries: 0 })
  const base = endpoint.replace(/\/+$/, '') || `https://email.${region}.amazonaws.com`
  return (method: string, path: string, body?: object): Promise<Response> =>
    client.fetch(base + path, {
      method,
      signal: AbortSignal.timeout(WITHIN_MS),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
}

function found(reply: IdentityReply): IdentityResult {
  const dkimTokens = (reply.DkimAttributes?.Tokens ?? []).filter((token) => /^[a-z0-9-]{1,63}$/i.test(token))
  return { outcome: 'found', verified: reply.VerifiedForSendingStatus === true, dkimTokens }
}
