/**
 * Keys derived from SECRET: for session tokens, for signed links, and for encrypting stored values. Each purpose has
 * its own key, so a leak of one doesn't affect the others.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type ContentEncryption, createContentEncryption, unknownSecret } from './content-encryption.ts'

export interface Secrets extends ContentEncryption {
  sessionKey: Uint8Array
  encrypt(text: string): Buffer
  decrypt(sealed: Buffer): string
  /** A short tag that authenticates `text` for `purpose`. */
  sign(purpose: string, text: string): string
  isSigned(purpose: string, text: string, tag: string): boolean
  /** The tag that `sign` returns, then those of earlier secrets: links in emails already sent stay valid. */
  validTags(purpose: string, text: string): string[]
}

export interface SecretsOptions {
  /** Earlier values of SECRET. What they encrypted and signed stays valid; sessions end. */
  previous?: readonly string[]
  /** DATA_ENCRYPTION. */
  encryptContents?: boolean
}

const IV_BYTES = 12
const TAG_BYTES = 16
const SIGNATURE_BYTES = 16

export function deriveSecrets(
  secret: string,
  { previous = [], encryptContents = false }: SecretsOptions = {},
): Secrets {
  const keysFor = (purpose: string): [Buffer, ...Buffer[]] => [
    keyFor(secret, purpose),
    ...previous.map((one) => keyFor(one, purpose)),
  ]
  const encryptionKeys = keysFor('encryption')
  const signingKeys = keysFor('signatures')

  return {
    sessionKey: keyFor(secret, 'sessions'),
    ...createContentEncryption(keysFor('contents'), encryptContents),
    encrypt(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKeys[0], iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    decrypt(sealed) {
      for (const key of encryptionKeys) {
        const text = decryptWith(key, sealed)
        if (text !== undefined) return text
      }
      throw unknownSecret()
    },
    sign: (purpose, text) => signature(signingKeys[0], purpose, text).toString('base64url'),
    isSigned(purpose, text, tag) {
      const given = Buffer.from(tag, 'base64url')
      if (given.length !== SIGNATURE_BYTES) return false
      return signingKeys.some((key) => timingSafeEqual(given, signature(key, purpose, text)))
    },
    validTags: (purpose, text) => signingKeys.map((key) => signature(key, purpose, text).toString('base64url')),
  }
}

const keyFor = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'posthorn', purpose, 32))

const signature = (key: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest().subarray(0, SIGNATURE_BYTES)

/** Undefined if another key encrypted it. */
function decryptWith(key: Buffer, sealed: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/**
 * The SECRET of this installation: from the settings, or generated once and stored in DATA_DIR. Safe if several
 * processes start at once.
 */
export async function loadSecret(configured: string, dataDir: string): Promise<string> {
  if (configured) return configured
  const file = path.join(dataDir, 'secret')
  const kept = await readIfThere(file)
  if (kept) return kept

  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  await chmod(draft, 0o600)
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readIfThere(file))!
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Keys are long and random, so a plain hash is sufficient. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
