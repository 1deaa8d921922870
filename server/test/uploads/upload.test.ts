/** Uploads: other bodies than forms are refused, and a file that is too large is refused while it is received. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { send, uploadFile } from './upload.ts'

let app: TestApp
let address: string
let key: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  app = await openTestApp()
  key = (await createProject(app)).secretKey
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  agent.destroy()
  await app.close()
})

const upload = (file: string, options = {}) => uploadFile(app, '/contacts/import', file, { key, ...options })

const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n'

function post(headers: Record<string, string> = {}) {
  const call = request(`${address}/contacts/import`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x', ...headers },
  })
  const reply = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).once('error', reject))
  return { call, reply }
}

const answerOf = async (reply: IncomingMessage) => ({ status: reply.statusCode, body: JSON.parse(await text(reply)) })

describe('an upload', () => {
  it.each<[what: string, contentType: string, payload: string]>([
    ['JSON', 'application/json', '{"file":"email"}'],
    ['a bare CSV', 'text/csv', 'email\na@example.org\n'],
    ['an encoded form', 'application/x-www-form-urlencoded', 'file=email'],
  ])('is refused if it is %s, because it must be a form', async (_what, contentType, payload) => {
    const { status, body } = await send(app, '/contacts/import', key, contentType, payload)
    expect(status).toBe(422)
    expect(body.error.errors[0]).toMatchObject({
      field: 'file',
      message: expect.stringMatching(/multipart\/form-data/),
    })
  })

  it('without a body, without the field or with two files is refused with 422', async () => {
    expect((await app.request('POST', '/contacts/import', { key: key })).status).toBe(422)
    expect((await upload('email\n', { field: 'csv' })).status).toBe(422)
    const two = await upload('email\n', { parts: { other: new Blob(['x']) } })
    expect([two.status, two.body.error.errors[0].message]).toEqual([422, 'Send only one file.'])
  })

  it('is refused with 400 if it is cut off or has no boundary', async () => {
    const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n'
    for (const [type, payload] of [
      ['multipart/form-data; boundary=x', cut],
      ['multipart/form-data', cut],
      ['multipart/form-data; boundary=x', 'nonsense'],
    ] as const) {
      const { status, body } = await send(app, '/contacts/import', key, type, payload)
      expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST_BODY'])
    }
  })

  it('can have other fields beside the file', async () => {
    expect((await upload('email\n', { parts: { note: 'hello' } })).status).toBe(202)
  })

  it('is refused if it has too many or too large fields, even if its file is small', async () => {
    const many = await upload('email\n', {
      parts: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, 'x'])),
    })
    expect([many.status, many.body.error.code]).toEqual([400, 'INVALID_REQUEST_BODY'])
    const large = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`f${i}`, 'x'.repeat(900_000)]))
    expect((await upload('email\n', { parts: large })).status).toBe(413)
  })
})

describe('an upload over a real connection', () => {
  it('is refused while it is received if its file is too large, and the connection can be used again', async () => {
    const { call, reply } = post()
    call.write(HEAD)
    for (let i = 0; i < 8; i++) call.write(Buffer.alloc(1024 * 1024, 'x'))
    const refused = await reply
    call.end('\r\n--x--\r\n')
    expect(await answerOf(refused)).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })

    const next = post()
    next.call.end(`${HEAD}a@example.org\r\n--x--\r\n`)
    expect((await answerOf(await next.reply)).status).toBe(202)
  })

  it('is refused while it is received if its form never reaches its file', async () => {
    const { call, reply } = post()
    call.write('--x\r\ncontent-disposition: form-data; name="note"\r\n\r\n')
    for (let i = 0; i < 8; i++) call.write(Buffer.alloc(1024 * 1024, 'x'))
    expect((await reply).statusCode).toBe(413)
    call.destroy()
  })

  it('is refused before it is sent if its Content-Length is too large', async () => {
    const { call, reply } = post({ 'content-length': String(100 * 1024 * 1024) })
    call.write(HEAD)
    expect((await reply).statusCode).toBe(413)
    call.destroy()
  })

  it('whose client disconnects in the middle affects nobody else', async () => {
    for (let i = 0; i < 10; i++) {
      const { call, reply } = post()
      call.write(HEAD)
      call.write(Buffer.alloc(100_000, 'x'), () => call.destroy())
      await expect(reply).rejects.toThrow()
    }
    const { call, reply } = post()
    call.end(`${HEAD}a@example.org\r\n--x--\r\n`)
    expect((await answerOf(await reply)).status).toBe(202)
  })
})
