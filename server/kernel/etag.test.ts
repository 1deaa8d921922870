import { expect, it } from 'vitest'
import { etagOf, isListed, requireUnchanged } from './etag.ts'

const at = new Date('2026-11-18T12:00:00.123Z')
const later = new Date(at.getTime() + 1)
const etag = etagOf('{"a":1}', at)

it.each([
  [etag, true],
  [`W/${etag}`, true],
  [`"x", ${etag}`, true],
  ['*', true],
  [etagOf('{"a":2}', at), false],
  ['"x"', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s lists the ETag: %s', (header, listed) => {
  expect(isListed(header, etag)).toBe(listed)
})

it.each([
  [undefined, at, true],
  [etag, at, true],
  [etagOf('another count', at), at, true],
  [`W/${etag}`, at, true],
  [`"x", ${etag}`, at, true],
  ['*', at, true],
  ['"2026-11-18T12:00:00.123Z"', at, true],
  ['"2026-11-18T12:00:00.123Z"', later, false],
  [etag, later, false],
  ['"x"', at, false],
  ['', at, false],
  ['*', undefined, false],
])('If-Match %s allows changing a resource of %s: %s', (header, updatedAt, allowed) => {
  const change = () => requireUnchanged(header, updatedAt)
  if (allowed) expect(change).not.toThrow()
  else expect(change).toThrow('It was changed since you read it.')
})
