import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANY_BASE_URL, addReference } from './serve-reference.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-reference-'))
  const write = (name: string, text: string) => writeFile(path.join(folder, `${name}.gz`), gzipSync(text))
  await write('openapi.json', JSON.stringify({ servers: [{ url: ANY_BASE_URL }] }))
  await mkdir(path.join(folder, 'site'))
  await write('site/index.html', '<p>First page</p>')
  await write('curl.html', `<p>${ANY_BASE_URL}</p><p>${ANY_BASE_URL}/v1/send</p>`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function get(url: string, baseUrl = 'https://mail.example.com', from = folder) {
  const server = Fastify()
  addReference(server, { baseUrl }, from)
  return server.inject({ method: 'GET', url })
}

describe('the API reference', () => {
  it('has the base URL of the service wherever it appears', async () => {
    expect((await get('/openapi.json')).json()).toEqual({ servers: [{ url: 'https://mail.example.com' }] })
    expect((await get('/docs?lang=curl')).body).toBe(
      '<p>https://mail.example.com</p><p>https://mail.example.com/v1/send</p>',
    )
  })

  it('escapes the base URL', async () => {
    const unusual = 'https://mail.example.com/a&b"$&'
    expect((await get('/openapi.json', unusual)).json()).toEqual({ servers: [{ url: unusual }] })
    expect((await get('/docs?lang=curl', unusual)).body).toContain(
      '<p>https://mail.example.com/a&amp;b&quot;$&amp;</p>',
    )
  })

  it('says how to build it if it is missing', async () => {
    for (const url of ['/docs', '/openapi.json']) {
      const reply = await get(url, '', path.join(folder, 'nowhere'))
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
      expect(reply.body).toContain('npm run build')
    }
  })
})
