/** Texts of the analytics page. */
export const texts = {
  title: 'Analytics',
  lead: 'See how your emails perform over time.',
  period: 'Period',
  periods: { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last 365 days' },
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Spam complaints',
  chart: {
    title: 'Emails per day',
    lead: 'Each send, delivery, open, click and bounce counts on the day it happened (UTC).',
    showTable: 'Show as table',
    table: 'Table of emails per day',
    day: 'Day',
  },
  topCampaigns: {
    title: 'Top campaigns',
    empty: 'No campaigns were sent in this period.',
    column: { name: 'Name', sent: 'Sent', openRate: 'Open rate', clickRate: 'Click rate' },
  },
  topEvents: {
    title: 'Top events',
    empty: 'No events were tracked in this period.',
  },
}
