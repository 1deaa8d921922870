/**
 * Computes codes like an authenticator app, with its own settings: changing ours would lock users out of their
 * accounts.
 */
import { Secret, TOTP } from 'otpauth'

export const codeAt = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: now.getTime(),
  })
