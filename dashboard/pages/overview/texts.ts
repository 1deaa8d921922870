/** Texts of the overview page. */
import { formatCount, formatNumber, formatPercent } from '../../parts/format.ts'

export const texts = {
  title: 'Overview',
  lead: (project: string) => `Recent activity in ${project}.`,
  contacts: 'Contacts',
  sent: 'Sent (30 days)',
  openRate: 'Open rate',
  bounceRate: 'Bounce rate',
  /** Against the 30 days before. */
  change: (ratio: number) =>
    ratio === 0
      ? 'Same as the previous 30 days'
      : `${ratio > 0 ? '+' : '−'}${formatPercent(Math.abs(ratio), 0)} vs. previous 30 days`,
  pointsChange: (difference: number) =>
    difference === 0
      ? 'Same as the previous 30 days'
      : `${difference > 0 ? '+' : '−'}${formatCount(Math.round(Math.abs(difference) * 1000) / 10, { one: 'point', other: 'points' })} vs. previous 30 days`,
  running: {
    campaigns: 'Current campaigns',
    progress: (sent: number, total: number) => `${formatNumber(sent)} of ${formatNumber(total)} sent`,
    starts: 'Starts <time/>',
    workflows: 'Enabled workflows',
    enabled: 'Enabled',
    allWorkflows: (count: number) => `View all ${formatNumber(count)} workflows`,
  },
  alerts: {
    reputation: (bounces: string, complaints: string, disabled: boolean) =>
      `${disabled ? 'Sending is disabled. ' : ''}In the last 7 days, ${bounces} of your emails bounced and ${complaints} were reported as spam.`,
    viewReputation: 'View reputation',
    domainPending: (domain: string) => `${domain} isn’t verified yet, so you can’t send from it.`,
    domainFailed: (domain: string) => `The DNS records for ${domain} weren’t found, so you can’t send from it.`,
    viewDomain: 'View DNS records',
    campaignHeld: (name: string, reason: string) => `“${name}” can’t be sent. Reason: ${reason}`,
    viewCampaign: 'View campaign',
    failedStep: (name: string | null, webhook: boolean) =>
      webhook ? (name ? `The webhook “${name}”` : 'A webhook') : name ? `The step “${name}”` : 'A step',
    stepFailed: (step: string, workflow: string, count: number, error: string | null) =>
      `${step} in “${workflow}” failed for ${formatCount(count, { one: 'contact', other: 'contacts' })} in the last 24 hours.${error ? ` Last error: ${error}` : ''}`,
    viewFailures: 'View failures',
  },
  chart: {
    title: 'Emails in the last 30 days',
    lead: 'Sends, deliveries, opens, clicks and bounces are counted on the day they happen (UTC).',
    leadRates: 'Each day’s rates (UTC). Opens, clicks and bounces are counted on the day they happen.',
    label: 'Emails per day',
    view: 'View',
    views: { counts: 'Counts', rates: 'Rates' },
    sent: 'Sent',
    delivered: 'Delivered',
    opened: 'Opened',
    clicked: 'Clicked',
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
    sendTest: 'Send me a test email',
    sendTestLead: (address: string) => `Sends a real email from your project to ${address}.`,
    needsDomain: 'To send an email, <link>verify a domain</link> first.',
    testSubject: 'Hello from Posthorn',
    testBody: '<h1>It works</h1><p>This email was sent by your project.</p>',
    waiting: 'Waiting for your first email…',
    arrived: 'Your first email was sent:',
    orFromCode: 'Or send it from your code',
  },
  examples: {
    label: 'Example requests',
    example: (name: string) => `${name} example`,
    secretHidden:
      'Your secret key ends in <suffix/>. Secret keys are shown only once, when they are created. If you lost yours, <link>replace your keys</link>.',
  },
}
