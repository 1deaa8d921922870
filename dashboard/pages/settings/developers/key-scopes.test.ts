import { expect, it } from 'vitest'
import { levelOf, presetOf, SCOPES_OF_PRESETS, withLevel } from './key-scopes.ts'

it('recognizes a preset by its scopes', () => {
  for (const [preset, scopes] of Object.entries(SCOPES_OF_PRESETS)) expect(presetOf(scopes)).toBe(preset)
  expect(presetOf(['send', 'track'])).toBe('own')
  expect(presetOf([])).toBe('own')
})

it('reads and changes the level of an area, and keeps the other scopes', () => {
  const scopes = withLevel(['send', 'contacts:read'], 'contacts', 'write')
  expect(scopes).toEqual(['send', 'contacts:write'])
  expect([levelOf(scopes, 'contacts'), levelOf(scopes, 'segments'), levelOf(['full'], 'segments')]).toEqual([
    'write',
    'none',
    'write',
  ])
  expect(withLevel(scopes, 'contacts', 'none')).toEqual(['send'])
})
