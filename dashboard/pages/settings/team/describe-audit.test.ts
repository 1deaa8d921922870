import { expect, it } from 'vitest'
import { describeDetails } from './describe-audit.ts'

it.each([
  ['project.created', { name: 'Shop' }, ['Shop']],
  ['key.created', { keyId: '1', name: 'Shop', scopes: ['send', 'track'], expiresAt: null }, ['Shop, send, track']],
  [
    'key.changed',
    { keyId: '1', name: 'Web shop', scopes: ['send'], before: { name: 'Shop', scopes: ['full'] } },
    ['Shop', 'Name changed from Shop to Web shop', 'Scopes changed from full to send'],
  ],
  ['key.rotated', { keyId: '1', name: 'Shop', overlapHours: 24 }, ['Shop, the old key works for 24 more hours']],
  ['key.deleted', { keyId: '1', name: 'Shop' }, ['Shop']],
  ['project.disabled', { reason: 'Too many bounces.' }, ['Too many bounces.']],
  [
    'project.changed',
    { name: 'Shop', tracking: 'DISABLED', before: { name: 'Shop', tracking: 'MARKETING_ONLY' } },
    ['Open and click tracking changed from Marketing emails only to Off'],
  ],
  ['project.changed', { language: 'de', before: { language: 'en' } }, ['Language changed from English to German']],
  [
    'project.changed',
    {
      emailStyle: { font: 'serif', textColor: '#111111' },
      socialLinks: [{ network: 'x', url: 'https://x.example' }],
      before: { emailStyle: { textColor: '#000000' }, socialLinks: null },
    },
    ['Social links set to https://x.example', 'Font set to Serif', 'Text color changed from #000000 to #111111'],
  ],
  [
    'project.changed',
    { emailStyle: { darkMode: true, width: 640, padding: 20, margin: 8, radius: 4 }, before: { emailStyle: null } },
    [
      'Dark colors in dark mode set to On',
      'Width in pixels set to 640',
      'Space on the sides set to 20',
      'Space around the content set to 8',
      'Corner radius set to 4',
    ],
  ],
  [
    'project.changed',
    { emailStyle: { darkMode: false }, before: { emailStyle: { darkMode: true } } },
    ['Dark colors in dark mode changed from On to Off'],
  ],
  ['project.changed', { name: 'Shop', before: { name: 'Shop' } }, ['No differences']],
  ['project.changed', { postalAddress: '', before: { postalAddress: 'Cork' } }, ['Postal address removed']],
  [
    'project.changed',
    { name: 'Shop', tracking: 'ENABLED' },
    ['Name set to Shop', 'Open and click tracking set to All template emails'],
  ],
  [
    'billing-limits.changed',
    { campaigns: 5000, before: { campaigns: null } },
    ['Campaigns changed from no limit to 5,000'],
  ],
  [
    'member.role-changed',
    { userId: '0198', email: 'ada@example.org', from: 'MEMBER', to: 'ADMIN' },
    ['ada@example.org changed from Member to Admin'],
  ],
  ['member.removed', { userId: '0198', email: 'ada@example.org', role: 'ADMIN' }, ['ada@example.org, Admin']],
  ['invitation.made', { email: 'ada@example.org', role: 'MEMBER' }, ['ada@example.org, Member']],
  ['domain.added', { domain: 'example.com' }, ['example.com']],
  ['keys.regenerated', {}, []],
])('%s with %j is described as %j', (act, details, expected) => {
  expect(describeDetails(act, details)).toEqual(expected)
})
