/**
 * A self-signed certificate, for servers without a configured one: mail servers prefer encryption with any certificate
 * to none. Node.js can read certificates but not create them.
 */
import { generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'

const YEARS = 10
const KEY_BITS = 2048
const COMMON_NAME = '2.5.4.3'
const COMMON_NAME_LENGTH_MAX = 64
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'

/** Programs on this machine can verify the certificate too. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1']

/** Key and certificate as PEM, valid for ten years from `now`. `name` is a host name or an IP address. */
export async function makeSelfSigned(name: string, now: Date): Promise<{ key: string; cert: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })

  const commonName = new x509.AttributeValue({ utf8String: name.slice(0, COMMON_NAME_LENGTH_MAX) })
  const subject = new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: COMMON_NAME, value: commonName })]),
  ])
  const names = [...new Set([name, ...OWN_NAMES])].map(
    (one) => new x509.GeneralName(isIP(one) === 0 ? { dNSName: one } : { iPAddress: one }),
  )
  const extnValue = new OctetString(AsnConvert.serialize(new x509.SubjectAlternativeName(names)))
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40 // a positive number without leading zeros
  const notBefore = new Date(now)
  notBefore.setUTCMilliseconds(0)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notBefore.getUTCFullYear() + YEARS)

  const algorithm = new x509.AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null })
  const content = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: arrayBufferOf(serial),
    signature: algorithm,
    issuer: subject,
    validity: new x509.Validity({ notBefore, notAfter }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([
      new x509.Extension({ extnID: x509.id_ce_subjectAltName, critical: false, extnValue }),
    ]),
  })
  const certificate = new x509.Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: arrayBufferOf(sign('sha256', Buffer.from(AsnConvert.serialize(content)), privateKey)),
  })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
  }
}

const arrayBufferOf = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer
