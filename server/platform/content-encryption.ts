/**
 * Encrypts what messages say before it is stored, if DATA_ENCRYPTION is on. Each value has a key of its own, derived
 * from SECRET and the id of its row, so any number of values can be encrypted, and a value that is copied to another
 * row can't be read there. AES-256-GCM; the id of the key in front shows which SECRET is needed.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { OperatorProblem } from '../kernel/errors.ts'

export interface ContentEncryption {
  /** Null if DATA_ENCRYPTION is off: the value is stored as it is. */
  encryptContent(rowId: string, content: () => Buffer): Buffer | null
  encryptJson(rowId: string, value: unknown): Buffer | null
  /** Both work whether DATA_ENCRYPTION is on or off. */
  decryptContent(rowId: string, encrypted: Buffer): Buffer
  decryptJson<T>(rowId: string, encrypted: Buffer): T
}

/** A stored value needs a SECRET that is not configured, or it is damaged. */
export class CannotDecrypt extends OperatorProblem {}

const FORMAT = 1
const KEY_ID_BYTES = 4
const IV_BYTES = 12
const TAG_BYTES = 16
const IV_START = 1 + KEY_ID_BYTES
const TAG_START = IV_START + IV_BYTES
const CONTENT_START = TAG_START + TAG_BYTES

const keyIdOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)

const rowKey = (key: Buffer, rowId: string): Buffer => createHmac('sha256', key).update(rowId).digest()

/** `keys`: the one that encrypts, then earlier ones. */
export function createContentEncryption(keys: [Buffer, ...Buffer[]], isOn: boolean): ContentEncryption {
  const [key] = keys
  const prefix = Buffer.concat([Buffer.of(FORMAT), keyIdOf(key)])
  const known = new Map(keys.map((one) => [keyIdOf(one).toString('hex'), one]))

  function encrypt(rowId: string, content: Buffer): Buffer {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', rowKey(key, rowId), iv)
    const body = cipher.update(content)
    cipher.final()
    return Buffer.concat([prefix, iv, cipher.getAuthTag(), body])
  }

  function decrypt(rowId: string, encrypted: Buffer): Buffer {
    const used = known.get(encrypted.toString('hex', 1, IV_START))
    if (encrypted[0] !== FORMAT || !used) throw unknownSecret()
    try {
      const decipher = createDecipheriv('aes-256-gcm', rowKey(used, rowId), encrypted.subarray(IV_START, TAG_START))
      decipher.setAuthTag(encrypted.subarray(TAG_START, CONTENT_START))
      return Buffer.concat([decipher.update(encrypted.subarray(CONTENT_START)), decipher.final()])
    } catch {
      throw new CannotDecrypt('It is damaged, or it was copied from another row. Restore the row from a backup.')
    }
  }

  return {
    encryptContent: (rowId, content) => (isOn ? encrypt(rowId, content()) : null),
    encryptJson: (rowId, value) => (isOn ? encrypt(rowId, Buffer.from(JSON.stringify(value))) : null),
    decryptContent: decrypt,
    decryptJson: <T>(rowId: string, encrypted: Buffer): T => JSON.parse(decrypt(rowId, encrypted).toString()),
  }
}

export const unknownSecret = () =>
  new CannotDecrypt(
    'It was encrypted with a SECRET that is not configured. Add the SECRET that was in use when it was stored to PREVIOUS_SECRETS and restart Posthorn.',
  )
