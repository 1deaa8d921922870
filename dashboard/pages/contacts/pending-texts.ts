/** Texts of the page of contacts who have not confirmed their subscription. */
import { translated } from '../../languages/language.ts'

export const pendingTexts = translated('pending', {
  title: 'Pending confirmations',
  lead: 'These contacts were asked to confirm their subscription and haven’t done so. Until then, they receive no marketing email.',
  link: 'Pending confirmations',
  pending: 'Pending',
  asked: 'Asked',
  confirmed: 'Confirmed',
  rate: 'Confirmation rate',
  days: 'Last 30 days',
  column: { email: 'Email', requested: 'Requested' },
  sendAgainTo: (email: string) => `Send again to ${email}`,
  emptyTitle: 'No pending confirmations',
  empty:
    'With double opt-in, contacts wait here until they confirm their subscription by email, which proves that they agreed. Turn it on in Settings → General.',
  noMatchTitle: 'No matching contacts',
  noMatch: 'Try a different search.',
})
