/**
 * The session cookie: a signed token with the id of a session. Whether the session still exists is stored in the
 * database.
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import { jwtVerify, SignJWT } from 'jose'

export const SESSION_DAYS = 7
const COOKIE = 'token'
const SECONDS = SESSION_DAYS * 24 * 3600

export async function makeSessionToken(
  key: Uint8Array,
  session: { id: string; userId: string },
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ sid: session.id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + SECONDS)
    .sign(key)
}

/** The session id in a token, or undefined if the token is invalid or expired. */
export async function readSessionToken(key: Uint8Array, token: string, now: Date): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
    return typeof payload.sid === 'string' ? payload.sid : undefined
  } catch {
    return undefined // forged, expired or malformed: treated the same
  }
}

export const tokenFromCookies = (header: string | undefined): string | undefined => parseCookie(header ?? '')[COOKIE]

export const sessionCookie = (token: string, secure: boolean): string => cookie(token, SECONDS, secure)

export const endedCookie = (secure: boolean): string => cookie('', 0, secure)

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  stringifySetCookie({ name: COOKIE, value, httpOnly: true, path: '/', sameSite: 'lax', maxAge, secure })
