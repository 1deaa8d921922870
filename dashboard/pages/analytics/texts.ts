/** Texts of the analytics page. */

import { formatCount, formatNumber } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

const byLabels = { campaign: 'Campaigns', template: 'Templates', workflow: 'Workflows', domain: 'Recipient domains' }

export const texts = translated('analytics', {
  title: 'Analytics',
  lead: 'See how your emails perform over time.',
  period: 'Period',
  periods: { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last 365 days' },
  exportCsv: 'Export CSV',
  emails: (count: number) => formatCount(count, { one: 'email', other: 'emails' }),
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Spam complaints',
  chart: {
    title: 'Emails per day',
    titleRates: 'Rates per day',
    problems: 'Bounces and spam complaints',
    emptyTitle: 'No emails in this period',
    empty: 'Once you send emails, this chart shows their deliveries, opens, clicks and bounces by day.',
    toCampaigns: 'Go to campaigns',
    lead: 'Sends, deliveries, opens, clicks and bounces are counted on the day they happen (UTC).',
    leadRates: 'Each day’s rates (UTC), without today. Opens, clicks and bounces are counted on the day they happen.',
    show: 'Show',
    shows: { counts: 'Counts', rates: 'Rates' },
    compareSent: 'Compare sent with previous period',
    compareOpened: 'Compare open rate with previous period',
    sentBefore: 'Sent, previous period',
    openedBefore: 'Opened, previous period',
    showTable: 'Show as table',
    table: 'Table of emails per day',
    day: 'Day',
    file: (days: { date: string }[]) => `emails-${days[0]?.date}-to-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Breakdown',
    by: byLabels,
    domainOnPhone: 'Domains',
    name: { campaign: 'Campaign', template: 'Template', workflow: 'Workflow', domain: 'Domain' },
    empty: 'No emails to break down in this period.',
    /** The rates that have no column on a phone. */
    rates: (delivered: string, clicked: string, bounced: string) =>
      `${delivered} delivered · ${clicked} clicked · ${bounced} bounced`,
    deleted: 'Deleted',
    lead: 'Emails accepted in this period, including their later opens and clicks.',
    first: (count: number) => `Top ${formatNumber(count)} by number of emails in this period.`,
    file: (by: string, { from, to }: { from: string; to: string }) => `emails-by-${by}-${from}-to-${to}.csv`,
  },
  topEvents: {
    title: 'Top events',
    empty: 'No events were tracked in this period.',
  },
})
