/** Texts of the overview page. */

import { formatCount, formatNumber, formatPercent, pickPlural } from '../../figures/format.ts'
import type { HighRate } from '../../figures/reputation.ts'
import { translated } from '../../languages/language.ts'

export const texts = translated('overview', {
  title: 'Overview',
  lead: (project: string) => `Recent activity in ${project}.`,
  leadNew: 'Set up your project and send your first email.',
  contacts: 'Contacts',
  sent: 'Sent (30 days)',
  openRate: 'Open rate',
  bounceRate: 'Bounce rate',
  running: {
    campaigns: 'Current campaigns',
    progress: (sent: number, total: number) => `${formatNumber(sent)} of ${formatNumber(total)} sent`,
    starts: 'Starts <time/>',
    workflows: 'Enabled workflows',
    trigger: (event: string | undefined) => (event ? `Starts on “${event}”` : 'Started manually'),
    executions: (active: number, completed: number) =>
      `${formatNumber(active)} running · ${formatNumber(completed)} completed in the last 7 days`,
    allWorkflows: (count: number) => `View all ${formatNumber(count)} workflows`,
  },
  alerts: {
    disabled: 'Sending is disabled.',
    /** "1 of 242 emails (0.41%) was reported as spam in the last 7 days, which reaches the critical threshold of 0.3%." */
    highRate: ({ kind, count, sent, rate, period, level, threshold }: HighRate) => {
      const verb = pickPlural(count, { one: 'was', other: 'were' })
      const outcome = kind === 'bounces' ? 'bounced' : `${verb} reported as spam`
      const when = period === 'sevenDay' ? 'in the last 7 days' : 'since the project was created'
      const limit = `the ${level} threshold of ${formatPercent(threshold, 2)}`
      return `${formatNumber(count)} of ${formatCount(sent, { one: 'email', other: 'emails' })} (${formatPercent(rate, 2)}) ${outcome} ${when}, which reaches ${limit}.`
    },
    viewReputation: 'View reputation',
    domainPending: (domain: string) => `${domain} isn’t verified yet, so you can’t send from it.`,
    domainFailed: (domain: string) => `The DNS records for ${domain} weren’t found, so you can’t send from it.`,
    viewDomain: 'View DNS records',
    campaignHeld: (name: string, reason: string) => `“${name}” can’t be sent. Reason: ${reason}`,
    viewCampaign: 'View campaign',
    endpointFailing: (url: string) => `Requests to the webhook endpoint ${url} are failing.`,
    endpointDisabled: (url: string) =>
      `Posthorn disabled the webhook endpoint ${url} because its requests failed. It receives no events.`,
    viewEndpoint: 'View endpoint',
    failedStep: (name: string | null, webhook: boolean) =>
      webhook ? (name ? `The webhook “${name}”` : 'A webhook') : name ? `The step “${name}”` : 'A step',
    stepFailed: (step: string, workflow: string, count: number, error: string | null) =>
      `${step} in “${workflow}” failed for ${formatCount(count, { one: 'contact', other: 'contacts' })} in the last 24 hours.${error ? ` Last error: ${error}` : ''}`,
    viewFailures: 'View failures',
  },
  chart: {
    title: 'Emails in the last 30 days',
    lead: 'Sends, deliveries, opens, clicks and bounces are counted on the day they happen (UTC).',
    leadRates: 'Each day’s rates (UTC), without today. Opens, clicks and bounces are counted on the day they happen.',
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
    titleNew: (project: string) => `Welcome to ${project}`,
    lead: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} steps completed.`,
    verifyDomain: 'Verify a domain',
    addDomain: 'Add your domain',
    addContact: 'Add a contact',
    createTemplate: 'Create a template',
    sendEmail: 'Send an email',
    sendCampaign: 'Send a campaign',
    enableWorkflow: 'Enable a workflow',
    done: '(completed)',
    open: '(not completed)',
    sendTest: 'Send me a test email',
    sendTestLead: (address: string, captured: boolean) =>
      captured
        ? `Sends an email to ${address}. In test mode, it’s kept here and not sent.`
        : `Sends an email from your project to ${address}.`,
    needsDomain:
      'Add the domain you send from, then add its records to your DNS to prove that you own it. After that, you can send your first email from here or from your code.',
    testSubject: 'Hello from Posthorn',
    testBody: '<h1>It works</h1><p>This email was sent by your project.</p>',
    waiting: 'Waiting for your first email…',
    arrived: 'Your first email was sent:',
    orFromCode: 'Or send an email from your code',
  },
  examples: {
    label: 'Example requests',
    example: (name: string) => `${name} example`,
    secretAbove:
      'Replace sk_… with your secret key, which ends in <suffix/>. If you no longer have it, replace the keys above.',
    secretHidden:
      'Replace sk_… with your secret key, which ends in <suffix/>. You can create new keys in the <link>settings</link>.',
  },
})
