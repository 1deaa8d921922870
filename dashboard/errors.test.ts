import { describe, expect, it } from 'vitest'
import { PosthornFailure } from '../sdk/errors.ts'
import { errorOf, isSignedOut, requestIdOf } from './errors.ts'

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
    expect(errorOf(new TypeError('Failed to fetch'))).toMatchObject({ code: 'UNEXPECTED', message: 'Failed to fetch' })
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
