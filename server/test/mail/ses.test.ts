/** The SES transport against an HTTP endpoint on loopback that checks the signature as Amazon does. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sesTransport } from '../../platform/transports/ses.ts'
import type { OpenTransport } from '../../platform/transports/transport.ts'

const SECRET = 'a secret for tests'
const QUOTA = { Max24HourSend: 200, MaxSendRate: 14, SentLast24Hours: 150 }

interface SesRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let requests: SesRequest[]
let answer: (request: SesRequest) => { status: number; type?: string; body: unknown }
let transport: OpenTransport

beforeEach(async () => {
  requests = []
  answer = ({ method }) => ({ status: 200, body: method === 'GET' ? { SendQuota: QUOTA } : { MessageId: 'ses-1' } })
  server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const got = { method: request.method!, url: request.url!, headers: request.headers, body }
    requests.push(got)
    const { status, type, body: content } = answer(got)
    reply.writeHead(status, { 'content-type': 'application/json', ...(type ? { 'x-amzn-errortype': type } : {}) })
    reply.end(JSON.stringify(content))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  transport = open()
})
afterEach(async () => {
  await transport.close()
  server.closeAllConnections()
  server.close()
})

const open = (sessionToken = '', configurationSet = '') =>
  sesTransport(
    { kind: 'ses', region: 'eu-west-1', configurationSet },
    {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: SECRET,
      sessionToken,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  )

const mail = {
  id: '019a0000-0000-7000-8000-000000000001',
  messageId: 'one@example.com',
  attempt: 1,
  sender: 'shop@example.com',
  recipients: ['post@müller.example'],
  raw: Buffer.from('Subject: Grüße\r\n\r\nHello\r\n'),
  priority: 0,
}

describe('a message sent through SES', () => {
  it('is sent raw to its envelope recipient, and has the ID that SES returns', async () => {
    expect(await transport.send(mail)).toEqual({ outcome: 'accepted', providerId: 'ses-1', delivered: false })
    expect(requests).toMatchObject([{ method: 'POST', url: '/v2/email/outbound-emails' }])
    const body = JSON.parse(requests[0]!.body)
    expect(body.Destination).toEqual({ ToAddresses: ['post@xn--mller-kva.example'] })
    expect(Buffer.from(body.Content.Raw.Data, 'base64')).toEqual(mail.raw)
    expect(body).not.toHaveProperty('ConfigurationSetName')
  })

  it('has a valid request signature, a session token, and the configuration set', async () => {
    await transport.close()
    transport = open('a-token', 'main')
    await transport.send(mail)
    const [request] = requests
    expect(JSON.parse(request!.body).ConfigurationSetName).toBe('main')
    expect(request!.headers['x-amz-security-token']).toBe('a-token')
    expect(request!.headers.authorization).toBe(authorizationOf(request!))
  })
})

/** Signature version 4, implemented from its specification. */
function authorizationOf({ method, url, headers, body }: SesRequest): string {
  const [, scope, names] = /Credential=AKIDEXAMPLE\/([^,]+), SignedHeaders=([^,]+),/.exec(headers.authorization!)!
  const [date, region, service] = scope!.split('/') as [string, string, string]
  const canonical = [
    method,
    url,
    '',
    ...names!.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')]
  const sign = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()
  const key = sign(sign(sign(sign(`AWS4${SECRET}`, date), region), service), 'aws4_request')
  const signature = sign(key, text.join('\n')).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

describe('a refusal by SES', () => {
  it.each([
    [400, 'MessageRejected', { outcome: 'rejected', because: 'message' }],
    [400, 'MailFromDomainNotVerifiedException', { outcome: 'rejected', because: 'message' }],
    [400, 'BadRequestException:http://internal.amazon.com/', { outcome: 'rejected', because: 'message' }],
    [400, 'AccountSuspendedException', { outcome: 'unavailable' }],
    [400, 'SendingPausedException', { outcome: 'unavailable' }],
    [400, 'LimitExceededException', { outcome: 'unavailable' }],
    [404, 'NotFoundException', { outcome: 'unavailable' }],
    [429, 'TooManyRequestsException', { outcome: 'unavailable' }],
    [403, 'InvalidSignatureException', { outcome: 'unavailable', credentialsRefused: true }],
    [403, 'ExpiredTokenException', { outcome: 'unavailable', credentialsRefused: true }],
    [400, 'UnrecognizedClientException', { outcome: 'unavailable', credentialsRefused: true }],
    [403, '', { outcome: 'unavailable', credentialsRefused: true }],
    [500, 'InternalFailure', { outcome: 'unavailable' }],
    [400, 'SomethingNew', { outcome: 'later' }],
  ])('is classified by its status and type: %d %s', async (status, type, expected) => {
    answer = () => ({ status, type, body: { message: 'In its own words.' } })
    const result = await transport.send(mail)
    expect(result).toMatchObject(expected)
    expect(result).toMatchObject({
      reason: [status, type.split(':')[0], 'In its own words.'].filter(Boolean).join(' '),
    })
  })

  it('in an unexpected form causes no error', async () => {
    answer = () => ({ status: 502, body: null })
    expect(await transport.send(mail)).toMatchObject({ outcome: 'unavailable', reason: '502' })
  })

  it("includes that SES can't be reached", async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await transport.send(mail)).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(/reached/),
    })
  })
})

describe('the SES quota', () => {
  it('is fetched occasionally and shared by concurrent callers', async () => {
    const answers = await Promise.all([transport.quota!(), transport.quota!(), transport.quota!()])
    expect(answers).toEqual(Array(3).fill({ perSecond: 14, leftToday: 50 }))
    expect(requests).toMatchObject([{ method: 'GET', url: '/v2/email/account' }])
  })

  it('has no limit for an account without one', async () => {
    answer = () => ({ status: 200, body: { SendQuota: { ...QUOTA, Max24HourSend: -1 } } })
    expect((await transport.quota!()).leftToday).toBe(Number.POSITIVE_INFINITY)
  })

  it('is fetched again after a failure', async () => {
    answer = () => ({ status: 403, type: 'AccessDenied', body: {} })
    await expect(transport.quota!()).rejects.toThrow(/403/)
    answer = () => ({ status: 200, body: { SendQuota: QUOTA } })
    expect(await transport.quota!()).toMatchObject({ perSecond: 14 })
  })
})
