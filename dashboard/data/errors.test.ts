import { describe, expect, it } from 'vitest'
import { PosthornFailure } from '../../sdk/errors.ts'
import { errorOf, isSignedOut, labelOf, plainError, requestIdOf } from './errors.ts'

const refused = {
  code: 'VALIDATION_ERROR',
  message: 'The request is invalid.',
  statusCode: 422,
  requestId: 'req_1',
  suggestion: 'Correct the fields.',
}

describe('errorOf', () => {
  it('returns the plain error object of a call unchanged', () => {
    expect(errorOf(refused)).toEqual(refused)
  })

  it('returns the error inside a PosthornFailure', () => {
    expect(errorOf(new PosthornFailure(refused))).toEqual(refused)
  })

  it('uses the message of any other error', () => {
    expect(errorOf(new TypeError('x is not defined'))).toMatchObject({
      code: 'UNEXPECTED',
      message: 'x is not defined',
    })
    expect(errorOf(new TypeError('Failed to fetch')).message).toBe('This page can’t be loaded. Check your connection.')
    expect(errorOf('offline')).toMatchObject({ code: 'UNEXPECTED', message: 'offline' })
  })
})

it('requestIdOf returns the request ID for server errors only', () => {
  expect(requestIdOf(refused)).toBeUndefined()
  expect(requestIdOf({ ...refused, statusCode: 500 })).toBe('req_1')
})

it('isSignedOut is true for a 401 response, thrown or returned', () => {
  const signedOut = { ...refused, statusCode: 401 }
  expect(isSignedOut(signedOut)).toBe(true)
  expect(isSignedOut(new PosthornFailure(signedOut))).toBe(true)
  expect(isSignedOut(refused)).toBe(false)
})

describe('plainError', () => {
  const plain = (message: string, more = {}) => plainError({ ...refused, suggestion: '', message, ...more })

  it('names the field that a message is about', () => {
    expect(plain('scheduledFor is in the past. Omit it to send now.')).toMatchObject({
      message: 'Choose a time in the future.',
      errors: [{ field: 'scheduledFor', message: 'Choose a time in the future.' }],
    })
    expect(plain('A template requires a `from` address.').errors).toMatchObject([{ field: 'from' }])
  })

  it('drops suggestions for callers of the API', () => {
    for (const suggestion of ['GET /templates/{id}/usage lists everything.', 'See error.errors for the problem.'])
      expect(plain('In use.', { suggestion })).not.toHaveProperty('suggestion')
    expect(plain('In use.', { suggestion: 'Wait.' })).toHaveProperty('suggestion', 'Wait.')
  })

  it('uses labels for names of the API, and leaves other words alone', () => {
    expect(plain('`replyTo` and fromName are too long; iPhone and `x` stay.').message).toBe(
      '“Reply-to” and “Sender name” are too long; iPhone and x stay.',
    )
  })

  it('uses the apostrophe of the dashboard’s own texts', () => {
    expect(plain("The campaign can't be paused, because it isn't sending.").message).toBe(
      'The campaign can’t be paused, because it isn’t sending.',
    )
  })

  it('changes nothing if it is applied twice', () => {
    const once = plain('The request has invalid fields.', { errors: [{ field: 'name', message: 'Empty.', code: 'x' }] })
    expect(plainError(once)).toEqual(once)
  })
})

it.each([
  ['fromName', 'Sender name'],
  ['condition.groups.0.filters.1.field', 'Group 1, filter 2, field'],
  ['audienceCondition.groups.2.filters.0.operator', 'Group 3, filter 1, operator'],
  ['condition.groups.0', 'Group 1'],
  ['data.firstName', 'First name'],
])('labelOf(%j) is %j', (path, label) => expect(labelOf(path)).toBe(label))
