/**
 * What the browser keeps while the person signs in at the provider or enters a code: encrypted and signed, for ten
 * minutes, so that a response is only accepted from the browser that began the sign-in.
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Clock } from '../../kernel/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Attempt } from './provider.ts'

const COOKIE = 'oauth'
const SECONDS = 600

export type Kept =
  | { kind: 'attempt'; provider: string; attempt: Attempt; next: string }
  | { kind: 'second-factor'; userId: string; next: string }

interface Tools {
  secrets: Secrets
  clock: Clock
}

export function keepingCookie({ secrets, clock }: Tools, kept: Kept, secure: boolean): string {
  const sealed = secrets.encrypt(JSON.stringify({ ...kept, until: clock.now().getTime() + SECONDS * 1000 }))
  return cookie(sealed.toString('base64url'), SECONDS, secure)
}

export const forgettingCookie = (secure: boolean): string => cookie('', 0, secure)

export function readKept<K extends Kept['kind']>(
  { secrets, clock }: Tools,
  header: string | undefined,
  kind: K,
): Extract<Kept, { kind: K }> | undefined {
  try {
    const sealed = Buffer.from(parseCookie(header ?? '')[COOKIE] ?? '', 'base64url')
    const kept: Extract<Kept, { kind: K }> & { until: number } = JSON.parse(secrets.decrypt(sealed))
    return kept.kind === kind && kept.until > clock.now().getTime() ? kept : undefined
  } catch {
    return undefined // not ours, or garbled: as good as none
  }
}

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  stringifySetCookie({ name: COOKIE, value, httpOnly: true, path: '/', sameSite: 'lax', maxAge, secure })
