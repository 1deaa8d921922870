/** Our DKIM signatures, checked by an independent verifier that looks up the key in a real DNS server. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, verify as verifyBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DkimKey, dkimSignature } from '../../platform/mime/dkim.ts'
import { composeMessage, type Message } from '../../platform/mime/mime.ts'
import { type DnsServer, startDnsServer } from '../dns-server.ts'

const AT = new Date('2026-03-01T12:00:00Z')
const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key: DkimKey = { domain: 'example.com', selector: 'ph1', privateKey: createPrivateKey(pair.privateKey) }
const ed25519 = generateKeyPairSync('ed25519')
const rawKey = ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
const twoKeys: DkimKey = { ...key, ed25519: { selector: 'ph2', privateKey: ed25519.privateKey } }
let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer({
    'ph1._domainkey.example.com': { TXT: [`v=DKIM1; k=rsa; p=${pair.publicKey.toString('base64')}`] },
    'ph2._domainkey.example.com': { TXT: [`v=DKIM1; k=ed25519; p=${rawKey.toString('base64')}`] },
  })
})
afterAll(() => dns.close())

const compose = (fields: Partial<Message> = {}) =>
  composeMessage({
    messageId: '<one@example.com>',
    date: AT,
    from: { name: 'Zoë of Acme', email: 'shop@example.com' },
    to: [{ email: 'ada@example.org' }],
    subject: 'Grüße, and a subject that is long enough to be folded over more than one line of the header',
    html: '<p>Hello  world \t\n</p>\n\n\n',
    replyTo: 'help@example.com',
    headers: { 'List-Unsubscribe': '<https://example.com/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ...fields,
  })

const signed = async (raw: Buffer, keys = key) => Buffer.concat([Buffer.from(dkimSignature(raw, keys, AT)), raw])

interface Verdict {
  status: { result: string }
  signingDomain: string
  algo: string
}

const verify = async (raw: Buffer) => (await verifyAll(raw))[0]!

async function verifyAll(raw: Buffer): Promise<Verdict[]> {
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const { results } = await dkimVerify(raw, {
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  return results as unknown as Verdict[]
}

const resultOf = async (raw: Buffer) => (await verify(raw)).status.result

describe('a DKIM signature', () => {
  it('is valid for its domain and covers the headers that readers see or use', async () => {
    const raw = await signed(compose())
    const result = await verify(raw)
    expect(result.status.result).toBe('pass')
    expect(result.signingDomain).toBe('example.com')
    const covered = / h=([^;]+);/.exec(raw.toString('latin1'))![1]!
    expect(covered.split(/:\s*/)).toEqual([
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'reply-to',
      'mime-version',
      'content-type',
      'list-unsubscribe',
      'list-unsubscribe-post',
      'from',
      'to',
      'cc',
      'subject',
      'date',
      'reply-to',
      'content-type',
      'list-unsubscribe',
    ])
  })

  it.each(['From', 'To', 'Cc', 'Subject', 'Date', 'Reply-To', 'Content-Type', 'List-Unsubscribe'])(
    'becomes invalid if a second %s header is added',
    async (name) => {
      const raw = await signed(compose())
      const forged = Buffer.concat([Buffer.from(`${name}: forged\r\n`), raw])
      expect(await resultOf(raw)).toBe('pass')
      expect(await resultOf(forged)).not.toBe('pass')
    },
  )

  it('is the same every time', async () => {
    expect(dkimSignature(compose(), key, AT)).toBe(dkimSignature(compose(), key, AT))
  })

  it('stays valid if servers change spaces and line folds', async () => {
    const text = (await signed(compose())).toString('latin1')
    const refolded = text.replace(/\r\n /g, '\r\n\t ').replace('Subject: ', 'SUBJECT:   ')
    expect(await resultOf(Buffer.from(`${refolded}\r\n\r\n`, 'latin1'))).toBe('pass')
  })

  it.each([
    ['the body', 'Hello', 'Hallo'],
    ['the recipient', 'ada@example.org', 'eve@example.org'],
    ['the unsubscribe link', 'https://example.com/u', 'https://example.net/u'],
    ['another sender in front', 'From: ', 'From: eve@example.net\r\nFrom: '],
  ])('becomes invalid if %s is changed', async (_what, from, to) => {
    const text = (await signed(compose())).toString('latin1')
    expect(text).toContain(from)
    expect(await resultOf(Buffer.from(text.replace(from, to), 'latin1'))).not.toBe('pass')
  })

  it('is valid for large bodies, wherever spaces and empty lines are', async () => {
    const head = 'From: shop@example.com\r\nTo: ada@example.org\r\n\r\n'
    const lines = [
      'two  blanks and a\ttab ',
      '',
      '\t',
      'x'.repeat(70_000), // longer than what is processed at once
      ...Array.from({ length: 9_000 }, (_, n) => (n % 7 ? 'plain' : ' \t ')),
      ...Array.from({ length: 40_000 }, () => ''), // followed by another line, so that they count
      'last',
      '  ',
      '',
    ]
    const body = lines.join('\r\n')
    for (const text of [body, `${body}\r\n`, `${body}end of it`, '\r\n'.repeat(70_000)]) {
      expect(await resultOf(await signed(Buffer.from(head + text)))).toBe('pass')
    }
  })

  it('is valid for messages of every kind: empty, large, with attachments, with unusual spaces', async () => {
    const attachment = {
      filename: 'a.bin',
      content: 'AAEC'.repeat(10_000),
      contentType: 'application/octet-stream',
      disposition: 'attachment' as const,
    }
    for (const raw of [
      compose({ html: '', text: '' }),
      compose({ attachments: [attachment] }),
      compose({ html: 'x'.repeat(300_000) }),
      Buffer.from('From: shop@example.com\r\nSubject:  a \t b \r\n\r\n \r\n a  b \t\r\n\t\r\n\r\n'),
      Buffer.from('From: shop@example.com\r\n\r\nno line end'),
      Buffer.from('From: shop@example.com\r\n\r\n'),
    ]) {
      expect(await resultOf(await signed(raw)), raw.toString('latin1').slice(0, 200)).toBe('pass')
    }
  })

  it('is valid for any text', async () => {
    const text = fc.string({ unit: fc.constantFrom(' ', '\t', '\r\n', '\n', '.', '=', 'a', 'é', '😀'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, async (html, subject) => {
        expect(await resultOf(await signed(compose({ html, subject })))).toBe('pass')
      }),
      { numRuns: 60 },
    )
  })

  it('is followed by one of an Ed25519 key if the domain has such a key, and both are valid for any message', async () => {
    const verdictsOf = async (raw: Buffer) =>
      (await verifyAll(raw)).map(({ algo, signingDomain, status }) => [algo, signingDomain, status.result])
    const both = (result: string) => [
      ['rsa-sha256', 'example.com', result],
      ['ed25519-sha256', 'example.com', result],
    ]
    const raw = await signed(compose(), twoKeys)
    expect(dkimSignature(compose(), twoKeys, AT)).toMatch(dkimSignature(compose(), key, AT))
    expect(await verdictsOf(raw)).toEqual(both('pass'))
    expect(await verdictsOf(Buffer.from(raw.toString('latin1').replace('Hello', 'Hallo'), 'latin1'))).toEqual(
      both('neutral'),
    )
    for (const other of [compose({ html: '', text: '' }), Buffer.from('From: shop@example.com\r\n\r\n')]) {
      expect(await verdictsOf(await signed(other, twoKeys))).toEqual(both('pass'))
    }
  })

  it('signs the hash of the headers if its key is an Ed25519 key', () => {
    const raw = Buffer.from('From: shop@example.com\r\n\r\nHello\r\n')
    const field = dkimSignature(raw, twoKeys, AT).slice(dkimSignature(raw, key, AT).length)
    const [unsigned, signature] = field.split(/(?<= b=)/)
    const relaxed = unsigned!.replace('DKIM-Signature: ', 'dkim-signature:').replaceAll(/\s+/g, ' ')
    const hash = createHash('sha256').update(`from:shop@example.com\r\n${relaxed}`).digest()
    // The key as other servers read it: 32 bytes from DNS.
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: rawKey.toString('base64url') }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    expect(verifyBytes(null, hash, publicKey, Buffer.from(signature!, 'base64'))).toBe(true)
  })
})
