/** Codes for two-factor sign-in: six digits that change every 30 seconds (RFC 6238), and recovery codes for a lost phone. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

/** Codes of the previous and next step are valid too, because clocks differ and typing takes time. */
const STEPS_AROUND = 1

const RECOVERY_CODES = 10

export const newSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Posthorn', label, secret: Secret.fromBase32(secret), digits: 6, period: STEP_MS / 1000 })

/** What an authenticator app reads from a QR code. */
export const otpauthUrl = (secret: string, label: string): string => totpOf(secret, label).toString()

/** The number of the 30-second step that a code belongs to, or undefined if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: digits, timestamp, window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(timestamp / STEP_MS) + delta
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 16

/** Sixteen unambiguous characters: 79 bits, so a plain hash is sufficient to store them. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode)

function newRecoveryCode(): string {
  let code = ''
  while (code.length < RECOVERY_LENGTH) {
    const byte = randomBytes(1)[0]!
    if (byte < 248) code += ALPHABET[byte % 31] // 248 = 8 × 31: every character is equally likely
  }
  return code.replace(/^(.{4})(.{4})(.{4})(.{4})$/, '$1-$2-$3-$4')
}

/** Normalizes what people type: case, spaces and hyphens don't matter. */
export const normalizeRecoveryCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')
