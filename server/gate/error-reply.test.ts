import { describe, expect, it } from 'vitest'
import {
  badRequest,
  bareBadRequest,
  conflict,
  forbidden,
  invalid,
  invalidField,
  notFound,
  Refusal,
  senderNotVerified,
} from '../kernel/errors.ts'
import { errorReply } from './error-reply.ts'

const now = new Date('2026-01-02T03:04:05.006Z')
const reply = (error: unknown) =>
  errorReply(error, { requestId: 'request-1', now, baseUrl: 'https://mail.example.com' })

describe('the response to a refusal', () => {
  it.each([
    [badRequest('m'), 400, 'BAD_REQUEST'],
    [new Refusal('unauthenticated', 'MISSING_AUTH', 'm'), 401, 'MISSING_AUTH'],
    [new Refusal('payment-required', 'BILLING_LIMIT_EXCEEDED', 'm'), 402, 'BILLING_LIMIT_EXCEEDED'],
    [forbidden('m'), 403, 'FORBIDDEN'],
    [senderNotVerified('example.com'), 403, 'INTERNAL_SERVER_ERROR'],
    [notFound('contact', '7'), 404, 'CONTACT_NOT_FOUND'],
    [notFound('template', '7'), 404, 'TEMPLATE_NOT_FOUND'],
    [notFound('campaign', '7'), 404, 'CAMPAIGN_NOT_FOUND'],
    [notFound('workflow', '7'), 404, 'WORKFLOW_NOT_FOUND'],
    [notFound('segment', '7'), 404, 'SEGMENT_NOT_FOUND'],
    [notFound('domain', '7'), 404, 'RESOURCE_NOT_FOUND'],
    [conflict('m'), 409, 'CONFLICT'],
    [new Refusal('too-large', 'PAYLOAD_TOO_LARGE', 'm'), 413, 'PAYLOAD_TOO_LARGE'],
    [invalidField('a.b', 'm'), 422, 'VALIDATION_ERROR'],
    [new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', 'm'), 429, 'RATE_LIMIT_EXCEEDED'],
    [new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'm'), 503, 'SERVICE_UNAVAILABLE'],
  ])('%s has the status %i and the code %s', (refusal, status, code) => {
    expect(reply(refusal)).toMatchObject({
      status,
      isBug: false,
      body: {
        success: false,
        message: refusal.message,
        timestamp: '2026-01-02T03:04:05.006Z',
        error: {
          code,
          message: refusal.message,
          statusCode: status,
          requestId: 'request-1',
          docsUrl: `https://mail.example.com/docs/errors/${code}`,
        },
      },
    })
  })

  it('names the reason and the page of the DNS records if a sender domain is not verified', () => {
    expect(reply(senderNotVerified('example.com')).body).toMatchObject({
      error: {
        details: { reason: 'DOMAIN_NOT_VERIFIED', domain: 'example.com' },
        suggestion: expect.stringContaining('page Domains of the dashboard'),
      },
    })
  })

  it('includes the problem with each field', () => {
    const problems = [
      { field: 'to.0.email', message: 'Must be an email address.', code: 'invalid_string', received: 'x' },
    ]
    expect(reply(invalid(problems)).body).toMatchObject({ error: { errors: problems } })
  })

  it('omits absent fields', () => {
    const { error } = JSON.parse(JSON.stringify(reply(forbidden('m')).body))
    expect(Object.keys(error).sort()).toEqual(['code', 'docsUrl', 'message', 'requestId', 'statusCode'])
  })

  it('names the resource that was not found', () => {
    expect(reply(notFound('contact', '7')).body).toMatchObject({ error: { details: { resource: 'contact', id: '7' } } })
  })

  it('has a Retry-After header', () => {
    const refusal = new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', 'm', { details: { retryAfter: 7 } })
    expect(reply(refusal).headers).toEqual({ 'retry-after': '7' })
    expect(reply(forbidden('m')).headers).toEqual({})
  })

  it('is only {error} in the two places where the contract requires it', () => {
    expect(reply(bareBadRequest('from is required'))).toEqual({
      status: 400,
      headers: {},
      body: { error: 'from is required' },
      isBug: false,
    })
  })
})

describe('the response to an unexpected error', () => {
  it.each([
    new Error('insert into contacts (secret) values ($1)'),
    Object.assign(new Error('duplicate key value violates "contacts_pkey"'), { code: '23505', detail: 'Key (id)=(7)' }),
    new TypeError('Cannot read properties of undefined at /srv/app/server/main.ts:1'),
    'a thrown text',
    undefined,
    null,
    { statusCode: 404 },
  ])('is a 500 without details of %s', (error) => {
    const { status, body, isBug } = reply(error)
    expect({ status, isBug }).toEqual({ status: 500, isBug: true })
    expect(body).toMatchObject({
      success: false,
      error: { code: 'INTERNAL_SERVER_ERROR', statusCode: 500, requestId: 'request-1' },
    })
    expect(JSON.stringify(body)).not.toMatch(/insert|secret|contacts|main\.ts|thrown|Key|stack/)
  })
})

describe('the response while the database is unavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300', '53100', '25006'])(
    'is a 503 that can be retried after %s',
    (code) => {
      const error = Object.assign(new Error('connect 10.0.0.7:5432 refused'), { code })
      const { status, headers, body, isBug } = reply(error)
      expect({ status, isBug }).toEqual({ status: 503, isBug: false })
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
      expect(body).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
      expect(JSON.stringify(body)).not.toContain('10.0.0.7')
    },
  )
})
