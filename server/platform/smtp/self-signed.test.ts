import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeSelfSigned } from './self-signed.ts'

it('a self-signed certificate has the host name and those of this machine, is valid for ten years and matches its key', async () => {
  const { key, cert } = await makeSelfSigned('mx.example.com', new Date('2026-01-02T03:04:05.678Z'))
  const read = new X509Certificate(cert)
  expect(read.subject).toBe('CN=mx.example.com')
  expect(read.subjectAltName).toBe(
    'DNS:mx.example.com, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  )
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(new Date(read.validFrom)).toEqual(new Date('2026-01-02T03:04:05.000Z'))
  expect(new Date(read.validTo)).toEqual(new Date('2036-01-02T03:04:05.000Z'))
})

it('a self-signed certificate can have dates after 2049 and an IP address as the host', async () => {
  const { cert } = await makeSelfSigned('127.0.0.1', new Date('2045-06-01T00:00:00.000Z'))
  const read = new X509Certificate(cert)
  expect(new Date(read.validTo)).toEqual(new Date('2055-06-01T00:00:00.000Z'))
  expect(read.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost, IP Address:0:0:0:0:0:0:0:1')
})
