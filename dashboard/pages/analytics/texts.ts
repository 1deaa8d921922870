/** Texts of the analytics page. */
import { formatNumber } from '../../parts/format.ts'

const byLabels = { campaign: 'Campaigns', template: 'Templates', workflow: 'Workflows', domain: 'Recipient domains' }

export const texts = {
  title: 'Analytics',
  lead: 'See how your emails perform over time.',
  period: 'Period',
  periods: { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last 365 days' },
  exportCsv: 'Export CSV',
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Spam complaints',
  change: {
    title: 'Compared with the period before',
    none: 'Unchanged',
    up: 'Up',
    down: 'Down',
    points: (points: number) => `${formatNumber(Math.round(points * 10) / 10)} pts`,
  },
  chart: {
    title: 'Emails per day',
    lead: 'Each send, delivery, open, click and bounce counts on the day it happened (UTC).',
    leadRates: 'Shares of the emails of each day (UTC). An open counts on the day it happened.',
    show: 'Show',
    shows: { counts: 'Counts', rates: 'Rates' },
    compare: 'Compare with the period before',
    sentBefore: 'Sent, period before',
    openedBefore: 'Opened, period before',
    showTable: 'Show as table',
    table: 'Table of emails per day',
    day: 'Day',
    file: (days: { date: string }[]) => `emails-${days[0]?.date}-to-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Breakdown',
    by: byLabels,
    name: { campaign: 'Campaign', template: 'Template', workflow: 'Workflow', domain: 'Domain' },
    empty: 'No such emails were sent in this period.',
    deleted: 'Deleted',
    lead: 'Emails accepted in this period, and everything that has happened to them since.',
    first: (count: number) => `The ${formatNumber(count)} with the most emails in this period.`,
    file: (by: string, { from, to }: { from: string; to: string }) => `emails-by-${by}-${from}-to-${to}.csv`,
  },
  topEvents: {
    title: 'Top events',
    empty: 'No events were tracked in this period.',
  },
}
