/**
 * The state of a sign-in while the user is at the provider or enters a code: encrypted and signed, valid for ten
 * minutes, so that a response is only accepted from the browser that started the sign-in.
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Clock } from '../../../kernel/clock.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Attempt } from './provider.ts'

const COOKIE = 'oauth'
const SECONDS = 600

export type OauthState =
  | { kind: 'attempt'; provider: string; attempt: Attempt; next: string }
  | { kind: 'second-factor'; userId: string; next: string }

interface Tools {
  secrets: Secrets
  clock: Clock
}

export function stateCookie({ secrets, clock }: Tools, kept: OauthState, secure: boolean): string {
  const sealed = secrets.encrypt(JSON.stringify({ ...kept, until: clock.now().getTime() + SECONDS * 1000 }))
  return cookie(sealed.toString('base64url'), SECONDS, secure)
}

export const expiredCookie = (secure: boolean): string => cookie('', 0, secure)

export function readKept<K extends OauthState['kind']>(
  { secrets, clock }: Tools,
  header: string | undefined,
  kind: K,
): Extract<OauthState, { kind: K }> | undefined {
  try {
    const sealed = Buffer.from(parseCookie(header ?? '')[COOKIE] ?? '', 'base64url')
    const kept: Extract<OauthState, { kind: K }> & { until: number } = JSON.parse(secrets.decrypt(sealed))
    return kept.kind === kind && kept.until > clock.now().getTime() ? kept : undefined
  } catch {
    return undefined // not ours, or malformed: treated as absent
  }
}

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  stringifySetCookie({ name: COOKIE, value, httpOnly: true, path: '/', sameSite: 'lax', maxAge, secure })
