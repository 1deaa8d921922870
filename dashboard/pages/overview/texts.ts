/** Texts of the overview page. */
import { formatNumber } from '../../parts/format.ts'

export const texts = {
  title: 'Overview',
  lead: (project: string) => `Recent activity in ${project}.`,
  contacts: 'Contacts',
  sent: 'Sent (30 days)',
  openRate: 'Open rate',
  bounceRate: 'Bounce rate',
  chart: {
    title: 'Emails in the last 30 days',
    lead: 'Each send, delivery, open and bounce counts on the day it happened (UTC).',
    label: 'Emails per day',
    sent: 'Sent',
    delivered: 'Delivered',
    opened: 'Opened',
    bounced: 'Bounced',
  },
  recent: {
    title: 'Recent emails',
    viewAll: 'View all emails',
    emptyTitle: 'No emails yet',
    empty: 'Emails you send appear here with their status. Send your first one through the API or from a template.',
    email: 'Email',
    status: 'Status',
    date: 'Date',
  },
  checklist: {
    title: 'Get started',
    lead: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} steps completed.`,
    verifyDomain: 'Verify a domain',
    addContact: 'Add a contact',
    createTemplate: 'Create a template',
    sendEmail: 'Send an email',
    sendCampaign: 'Send a campaign',
    enableWorkflow: 'Enable a workflow',
    done: '(completed)',
    open: '(not completed)',
    examples: 'Example requests',
    example: (name: string) => `${name} example`,
    secretHidden:
      'Your secret key ends in <suffix/>. Secret keys are shown only once, when they are created. If you lost yours, <link>create new keys</link>.',
  },
  examples: { curl: 'curl', node: 'Node.js', track: 'Track an event' },
}
