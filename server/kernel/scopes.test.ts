import { describe, expect, it } from 'vitest'
import { hasScope, onlyTracks, SCOPES, scopeOfTag } from './scopes.ts'

describe('hasScope', () => {
  it.each([
    [['full'], 'contacts:write', true],
    [['full'], 'track', true],
    [['contacts:write'], 'contacts:read', true],
    [['contacts:read'], 'contacts:write', false],
    [['contacts:read'], 'contacts:read', true],
    [['events:write'], 'track', false],
    [['emails:write'], 'send', false],
    [['contacts:write', 'segments:read'], 'segments:write', false],
    [[], 'verify', false],
  ])('%j includes %s: %s', (held, required, expected) => expect(hasScope(held, required)).toBe(expected))

  it('nothing but full access includes full access', () => {
    expect(SCOPES.filter((scope) => hasScope([scope], 'full'))).toEqual(['full'])
  })
})

it('a tag and a method result in a scope, and an unknown tag requires full access', () => {
  expect([scopeOfTag('Layouts', true), scopeOfTag('Members', false), scopeOfTag('Something new', true)]).toEqual([
    'templates:read',
    'project:write',
    'full',
  ])
})

it('only a key with nothing but `track` is treated as the public key', () => {
  expect([onlyTracks(['track']), onlyTracks(['track', 'send']), onlyTracks(['full'])]).toEqual([true, false, false])
})
