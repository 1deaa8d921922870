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

export interface Secrets {
  sessionKey: Uint8Array
  encrypt(text: string): Buffer
  decrypt(sealed: Buffer): string
  /** A short tag that authenticates `text` for `purpose`. */
  sign(purpose: string, text: string): string
  isSigned(purpose: string, text: string, tag: string): boolean
}

const IV_BYTES = 12
const TAG_BYTES = 16
const SIGNATURE_BYTES = 16

export function deriveSecrets(secret: string): Secrets {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'posthorn', purpose, 32))
  const encryptionKey = keyFor('encryption')
  const signingKey = keyFor('signatures')

  const signature = (purpose: string, text: string) =>
    createHmac('sha256', signingKey).update(`${purpose}\0${text}`).digest().subarray(0, SIGNATURE_BYTES)

  return {
    sessionKey: keyFor('sessions'),
    encrypt(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    decrypt(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
    sign: (purpose, text) => signature(purpose, text).toString('base64url'),
    isSigned(purpose, text, tag) {
      const given = Buffer.from(tag, 'base64url')
      return given.length === SIGNATURE_BYTES && timingSafeEqual(given, signature(purpose, text))
    },
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
