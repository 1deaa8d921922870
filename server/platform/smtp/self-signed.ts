/**
 * A certificate that nobody vouches for, for servers whose operator has set none: mail servers encrypt to any certificate
 * rather than not at all. Node can read certificates and not write them, so the few fields are put together here.
 */
import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'

const YEARS = 10
const KEY_BITS = 2048

const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, null: 0x05, oid: 0x06, utf8: 0x0c, utcTime: 0x17, time: 0x18 }
const SEQUENCE = 0x30
const SET = 0x31
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82

const SHA256_WITH_RSA = '2a864886f70d01010b'
const COMMON_NAME = '550403'
const ALTERNATIVE_NAMES = '551d11'

function field(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const oid = (hex: string): Buffer => field(TAG.oid, Buffer.from(hex, 'hex'))

/** With an unused-bits byte in front. */
const bits = (bytes: Buffer): Buffer => field(TAG.bits, Buffer.from([0]), bytes)

const ALGORITHM = field(SEQUENCE, oid(SHA256_WITH_RSA), field(TAG.null))

/** Two digits of the year up to 2049, four from then on. */
function moment(at: Date): Buffer {
  const digits = at.toISOString().replace(/\.\d+|[-:T]/g, '')
  return at.getUTCFullYear() < 2050
    ? field(TAG.utcTime, Buffer.from(digits.slice(2)))
    : field(TAG.time, Buffer.from(digits))
}

const distinguishedName = (name: string): Buffer =>
  field(SEQUENCE, field(SET, field(SEQUENCE, oid(COMMON_NAME), field(TAG.utf8, Buffer.from(name.slice(0, 64))))))

const alternativeNames = (name: string): Buffer =>
  field(SEQUENCE, oid(ALTERNATIVE_NAMES), field(TAG.octets, field(SEQUENCE, field(DNS_NAME, Buffer.from(name)))))

function untilYearsLater(from: Date): Date {
  const until = new Date(from)
  until.setUTCFullYear(from.getUTCFullYear() + YEARS)
  return until
}

/** Key and certificate as PEM, good for ten years from `now`. */
export async function makeSelfSigned(name: string, now: Date): Promise<{ key: string; cert: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40 // a positive number without zeros in front
  const subject = distinguishedName(name)
  const body = field(
    SEQUENCE,
    field(VERSION, field(TAG.integer, Buffer.from([2]))),
    field(TAG.integer, serial),
    ALGORITHM,
    subject,
    field(SEQUENCE, moment(now), moment(untilYearsLater(now))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(isIP(name) === 0 ? [field(EXTENSIONS, field(SEQUENCE, alternativeNames(name)))] : []),
  )
  const der = field(SEQUENCE, body, ALGORITHM, bits(sign('sha256', body, privateKey)))
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
