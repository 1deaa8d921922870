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
  ['events.imported', { totalRows: 3, importedCount: 2, existingCount: 1, failureCount: 0 }, ['2 events']],
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
  [
    'domain.changed',
    { domain: 'example.com', warmUp: { startedOn: '2026-11-01', perDay: 50, growth: 1.5 }, before: { warmUp: null } },
    ['example.com', 'Warm-up of 50 emails from Nov 1, 2026, growing by a factor of 1.5 each day'],
  ],
  [
    'domain.changed',
    { domain: 'example.com', warmUp: null, before: { warmUp: { perDay: 5 } } },
    ['example.com', 'Warm-up ended'],
  ],
  [
    'domain.changed',
    { domain: 'example.com', ed25519: true, before: { ed25519: false } },
    ['example.com', 'Ed25519 key added'],
  ],
  ['campaign.created', { campaignId: '1', name: 'News' }, ['News']],
  ['campaign.tested', { campaignId: '1', name: 'News', email: 'ada@example.org' }, ['News, to ada@example.org']],
  [
    'campaign.changed',
    {
      campaignId: '1',
      name: 'News 2',
      from: 'b@example.com',
      contents: ['subject', 'body'],
      before: { name: 'News', from: 'a@example.com' },
    },
    [
      'News',
      'Name changed from News to News 2',
      'Sender address changed from a@example.com to b@example.com',
      'Changed: subject, body',
    ],
  ],
  ['campaign.retried', { campaignId: '1', name: 'News', emails: 3 }, ['News, 3 emails']],
  ['template.deleted', { templateId: '1', name: 'Receipt' }, ['Receipt']],
  [
    'template.changed',
    { templateId: '1', name: 'Receipt', contents: ['document'], before: {} },
    ['Receipt', 'Changed: design'],
  ],
  [
    'segment.changed',
    { segmentId: '1', name: 'Pros', trackMembership: true, before: { trackMembership: false } },
    ['Pros', 'Membership tracking changed from no to yes'],
  ],
  ['segment.members-added', { segmentId: '1', name: 'Pros', contacts: 1 }, ['Pros, 1 contact']],
  ['workflow.published', { workflowId: '1', name: 'Welcome', steps: 4 }, ['Welcome, 4 steps']],
  ['workflow.changed', { workflowId: '1', name: 'Welcome', stepAdded: 'DELAY' }, ['Welcome', 'Step DELAY added']],
  ['workflow.executions-canceled', { workflowId: '1', name: 'Welcome', all: true }, ['Welcome, all executions']],
  [
    'webhook-endpoint.tested',
    { endpointId: '1', url: 'https://a.example/', eventType: 'email.sent', status: 204 },
    ['https://a.example/, response 204'],
  ],
  [
    'webhook-endpoint.replayed',
    { endpointId: '1', url: 'https://a.example/', deliveries: 7 },
    ['https://a.example/, 7 deliveries'],
  ],
  [
    'topic.changed',
    { topicId: '1', key: 'news', name: 'All news', before: { name: 'News' } },
    ['News', 'Name changed from News to All news'],
  ],
  ['keys.regenerated', {}, []],
])('%s with %j is described as %j', (act, details, expected) => {
  expect(describeDetails(act, details)).toEqual(expected)
})
