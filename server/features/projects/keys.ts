/** API keys: long, random, told apart by their prefix. */
import { randomBytes } from 'node:crypto'

export interface KeyPair {
  publicKey: string
  secretKey: string
  secretKeyHint: string
}

export function makeKeys(): KeyPair {
  const secretKey = `sk_${randomBytes(24).toString('hex')}`
  return { publicKey: `pk_${randomBytes(24).toString('hex')}`, secretKey, secretKeyHint: `sk_…${secretKey.slice(-4)}` }
}
