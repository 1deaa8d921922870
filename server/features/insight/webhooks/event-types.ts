/** The event types that Posthorn sends, each with an example. Your own events have the names that you track. */
import { type Facts, payloadOf } from './request.ts'

const CONTACT_ID = '01a4c2f0-6a10-7000-8000-000000000001'
const EMAIL_ID = '01a4c2f0-6a10-7000-8000-000000000002'
const CAMPAIGN_ID = '01a4c2f0-6a10-7000-8000-000000000003'
const WORKFLOW_ID = '01a4c2f0-6a10-7000-8000-000000000004'
const OTHER_ID = '01a4c2f0-6a10-7000-8000-000000000005'
const EVENT_ID = '01a4c2f0-6a10-7000-8000-000000000006'
const PROJECT_ID = '01a4c2f0-6a10-7000-8000-000000000007'
const AT = '2026-11-18T09:30:00.000Z'

const contact = { id: CONTACT_ID, email: 'ada@example.org', subscribed: true }
const email = {
  id: EMAIL_ID,
  messageId: `${EMAIL_ID}@example.com`,
  subject: 'Your receipt',
  from: 'shop@example.com',
  to: 'ada@example.org',
  campaignId: null,
  workflowId: null,
  tags: {},
}
const facts = {
  subject: 'Your receipt',
  from: 'shop@example.com',
  fromName: 'Shop',
  messageId: `${EMAIL_ID}@example.com`,
  emailId: EMAIL_ID,
  templateId: null,
  campaignId: null,
  sourceType: 'TRANSACTIONAL',
}

const ofEmail = (data: Record<string, unknown>): Facts => ({ contact, email, data: { ...facts, ...data } })
const ofContact = (data: Record<string, unknown> = {}, change: Partial<typeof contact> = {}): Facts => ({
  contact: { ...contact, ...change },
  email: null,
  data,
})
const ofOther = (data: Record<string, unknown>): Facts => ({ contact: null, email: null, data })
const campaign = { campaignId: CAMPAIGN_ID, name: 'November news' }
const segment = { segmentId: OTHER_ID, segmentName: 'VIP' }

const TYPES: Array<[type: string, description: string, facts: Facts]> = [
  ['email.sent', 'An email was passed to the mail server.', ofEmail({ sentAt: AT })],
  ['email.delivery', "The recipient's server accepted an email.", ofEmail({ deliveredAt: AT })],
  ['email.open', 'An email was opened for the first time.', ofEmail({ openedAt: AT, opens: 1, isFirstOpen: true })],
  [
    'email.click',
    'A link in an email was clicked for the first time.',
    ofEmail({ link: 'https://example.com/', clickedAt: AT, clicks: 1, isFirstClick: true }),
  ],
  ['email.bounce', 'An email bounced.', ofEmail({ bounceType: 'Permanent', bouncedAt: AT })],
  ['email.complaint', 'A recipient reported an email as spam.', ofEmail({ complainedAt: AT })],
  ['email.failed', "An email couldn't be sent.", ofEmail({ failedAt: AT, error: 'Could not render the subject.' })],
  ['email.received', 'An email to one of your domains was received.', ofEmail({ subject: 'Re: Your receipt' })],
  ['contact.created', 'A contact was created.', ofContact()],
  ['contact.updated', 'The address, the data or the subscription of a contact changed.', ofContact()],
  ['contact.subscribed', 'A contact subscribed.', ofContact()],
  ['contact.confirmed', 'A contact confirmed its subscription (double opt-in).', ofContact()],
  ['contact.unsubscribed', 'A contact unsubscribed.', ofContact({ reason: 'complaint' }, { subscribed: false })],
  ['contact.deleted', 'A contact was deleted. `contact` shows its last state.', ofContact()],
  ['topic.subscribed', 'A contact subscribed to a topic.', ofContact({ topic: 'product-news' })],
  ['topic.unsubscribed', 'A contact opted out of a topic.', ofContact({ topic: 'product-news' })],
  ['campaign.started', 'A campaign started sending.', ofOther(campaign)],
  ['campaign.sent', 'All emails of a campaign were sent.', ofOther(campaign)],
  ['campaign.cancelled', 'A campaign was canceled.', ofOther(campaign)],
  ['campaign.paused', 'A campaign was paused.', ofOther({ ...campaign, reason: null })],
  [
    'workflow.execution.completed',
    'A contact reached the end of a workflow.',
    ofContact({ workflowId: WORKFLOW_ID, executionId: OTHER_ID, status: 'COMPLETED' }),
  ],
  [
    'workflow.execution.failed',
    'A workflow failed for a contact.',
    ofContact({
      workflowId: WORKFLOW_ID,
      executionId: OTHER_ID,
      status: 'FAILED',
      error: 'The URL responded with status 500.',
    }),
  ],
  ['domain.verified', 'A sender domain was verified.', ofOther({ domainId: OTHER_ID, domain: 'example.com' })],
  ['domain.failed', 'A sender domain is no longer verified.', ofOther({ domainId: OTHER_ID, domain: 'example.com' })],
  [
    'import.completed',
    'A CSV import finished.',
    ofOther({
      jobId: OTHER_ID,
      status: 'COMPLETED',
      error: null,
      totalRows: 100,
      createdCount: 90,
      updatedCount: 10,
      unchangedCount: 0,
      failureCount: 0,
    }),
  ],
  ['suppression.added', 'An address was suppressed.', ofOther({ email: 'ada@example.org', reason: 'BOUNCE' })],
  ['suppression.removed', 'An address is no longer suppressed.', ofOther({ email: 'ada@example.org' })],
  ['segment.vip.entry', 'A contact entered a tracked segment, here the one with the slug `vip`.', ofContact(segment)],
  ['segment.vip.exit', 'A contact left a tracked segment.', ofContact(segment)],
]

const about = (eventType: string) => ({ eventId: EVENT_ID, projectId: PROJECT_ID, eventType, eventAt: new Date(AT) })

export const EVENT_TYPES = TYPES.map(([type, description, facts]) => ({
  type,
  description,
  example: payloadOf(about(type), facts),
}))

/** The facts of a test. Undefined if the type is neither known nor wanted. */
export function exampleFacts(type: string, wanted: string[]): Facts | undefined {
  const known = TYPES.find(([name]) => name === type)
  if (known) return known[2]
  return wanted.some((pattern) => matches(pattern, type)) ? ofContact({ plan: 'pro' }) : undefined
}

/** As in SQL: a name, a star, or the start of a name with a star after a dot. */
export const matches = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** For a test without a type: the first that the endpoint wants. */
export const firstWanted = (wanted: string[]): string =>
  TYPES.map(([type]) => type).find((type) => wanted.some((pattern) => matches(pattern, type))) ??
  wanted.find((pattern) => !pattern.endsWith('*')) ??
  wanted[0]!.replace(/\*$/, 'example')
