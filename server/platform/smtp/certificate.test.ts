import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadCertificate } from './certificate.ts'
import { SmtpStartProblem } from './refusal.ts'
import { makeSelfSigned } from './self-signed.ts'

let folder: string
const now = new Date()
const source = (fields: object = {}) => ({
  certFile: '',
  keyFile: '',
  dataDir: folder,
  name: 'mx.example.com',
  ...fields,
})
const file = async (name: string, text: string) => {
  await writeFile(path.join(folder, name), text)
  return path.join(folder, name)
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-certificate-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('without files, one certificate is created even by concurrent starts, readable only by its owner', async () => {
  const made = await Promise.all([loadCertificate(source(), now), loadCertificate(source(), now)])
  expect(made[0]).toEqual(made[1])
  expect(await loadCertificate(source(), now)).toEqual(made[0])
  expect((await stat(path.join(folder, 'smtp-certificate.pem'))).mode & 0o777).toBe(0o600)
})

it('a certificate that does not name the server is replaced, and one that does is kept', async () => {
  const dataDir = await mkdtemp(path.join(folder, 'data-'))
  const kept = path.join(dataDir, 'smtp-certificate.pem')
  const load = (name: string) => loadCertificate(source({ dataDir, name }), now)
  const original = await load('old.example.com')
  expect(await load('localhost')).toEqual(original)
  const renamed = await load('mx.example.com')
  expect(new X509Certificate(renamed.cert).checkHost('mx.example.com')).toBe('mx.example.com')
  expect(await load('mx.example.com')).toEqual(renamed)
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  const address = await load('192.0.2.1')
  expect(new X509Certificate(address.cert).checkIP('192.0.2.1')).toBe('192.0.2.1')
  expect(await load('127.0.0.1')).toEqual(address)
})

it('configured certificate files are used, and a mismatch is reported in a sentence', async () => {
  const [one, other] = await Promise.all([makeSelfSigned('a.example', now), makeSelfSigned('b.example', now)])
  const certFile = await file('cert.pem', one.cert)
  const keyFile = await file('key.pem', one.key)
  expect(await loadCertificate(source({ certFile, keyFile }), now)).toEqual(one)
  for (const wrong of [await file('other.pem', other.key), await file('none.pem', 'none'), '/nowhere/key.pem']) {
    const loading = loadCertificate(source({ certFile, keyFile: wrong }), now)
    await expect(loading).rejects.toThrow(SmtpStartProblem)
    await expect(loading).rejects.toThrow(/^Posthorn can't start: SMTP_TLS_CERT and SMTP_TLS_KEY can't be used/)
  }
})
