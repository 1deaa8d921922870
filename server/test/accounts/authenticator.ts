/** What an authenticator app shows for a secret. Its own settings: a change of ours would lock people out of their accounts. */
import { Secret, TOTP } from 'otpauth'

export const codeAt = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: now.getTime(),
  })
