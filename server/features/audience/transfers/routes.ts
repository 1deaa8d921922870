/** Contacts from another service over HTTP. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { route } from '../../../platform/http/route.ts'
import { transferContacts } from './actions.ts'
import { BATCH_MAX, TransferBatch, TransferResult } from './schemas.ts'

/** 1,000 contacts with a few kilobytes of data each. */
const BODY_BYTES_MAX = 20 * 1024 * 1024
const VALUES_MAX = 500_000

export const transferRoutes = [
  route({
    method: 'POST',
    path: '/contacts/transfer',
    client: 'contacts.transfer',
    access: 'project',
    strict: true,
    tag: 'Contacts',
    summary: 'Move contacts from another service',
    description:
      `Writes up to ${BATCH_MAX.toLocaleString('en')} contacts and as many suppressions at once. Nobody who opted out is subscribed: \`subscribed: false\` is always ` +
      'an opt-out, and `subscribed: true` has no effect on people who have opted out here, are suppressed, or objected before they were erased.\n\n' +
      'An entry with a mistake is reported with its position, and the others are written. Sending the same batch again changes nothing. ' +
      'Send the suppressions and the people who opted out first. `posthorn import` and the dashboard use this for exports of other services.',
    bodyLimitBytes: () => BODY_BYTES_MAX,
    bodyValuesMax: VALUES_MAX,
    body: TransferBatch,
    example: {
      source: 'listmonk',
      suppressions: [{ email: 'gone@example.org', reason: 'BOUNCE' }],
      contacts: [
        { email: 'ada@example.org', subscribed: true, data: { name: 'Ada' }, consent: { at: '2024-03-01T10:00:00Z' } },
        { email: 'bob@example.org', subscribed: false },
      ],
    },
    replies: { 200: { description: 'What changed, and the entries with mistakes.', schema: TransferResult } },
    handle: (ctx, { caller, body, facts }) => transferContacts(ctx, caller.projectId, body, causeOf({ caller, facts })),
  }),
]
