/** A mail server whose certificate has expired: a real TLS server on loopback. */
import { afterEach, expect, it } from 'vitest'
import { makeSelfSigned } from '../../platform/smtp/self-signed.ts'
import { createProject, openTestApp } from '../harness.ts'
import { openSmtpTestServer } from '../mail/smtp-test-server.ts'

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

it('a mail server with an expired certificate gets no email, which stays queued with a reason that names the remedy', async () => {
  const certificate = await makeSelfSigned('localhost', new Date('2015-01-01T00:00:00Z')) // for ten years
  const server = await openSmtpTestServer({ server: { hideSTARTTLS: false, ...certificate } })
  const app = await openTestApp({ MAIL_URL: `smtp://localhost:${server.port}` })
  closing.push(app.close)
  const { secretKey: key } = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  const body = { to: 'reader@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  const id = (await app.request('POST', '/v1/send', { key, body })).body.data.emails[0].email
  await app.drain()
  const email = () => app.request('GET', `/emails/${id}`, { key })
  expect((await email()).body).toMatchObject({
    status: 'PENDING',
    attempts: 0,
    error: expect.stringMatching(/^The certificate of the mail server has expired\. Renew it on the mail server\./),
  })
  expect(server.taken).toEqual([])
  await server.close()

  const working = await openSmtpTestServer({ port: server.port })
  closing.push(working.close)
  app.clock.forward(400_000)
  await app.drain()
  expect((await email()).body).toMatchObject({ status: 'DELIVERED', error: null })
})
