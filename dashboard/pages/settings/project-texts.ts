/** Texts of the settings pages about the project: its settings, branding, usage, billing and reputation. */

import { formatCount, formatNumber } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { socialNetworkTexts } from '../../shell/texts.ts'

export const projectTexts = translated('project', {
  preferencePage: {
    title: 'Preference page',
    lead: 'Contacts reach this page with {{manageUrl}} and from unsubscribe pages. It always has the public topics and a pause.',
    offers: {
      language: 'Let contacts choose their language',
      timezone: 'Let contacts choose their time zone',
      dataDownload: 'Let contacts download their data',
    },
    hints: {
      language: 'Stored in the field “locale”.',
      timezone: 'Stored in the field “timezone”.',
      dataDownload: 'Anyone with the link from an email can download what is stored about the contact.',
    },
    save: 'Save preference page',
    saved: 'Preference page saved.',
  },
  doubleOptIn: {
    title: 'Double opt-in',
    lead: 'New contacts confirm their subscription with a link in an email before they receive marketing email.',
    enabled: 'Ask contacts that the API adds to confirm',
    template: 'Confirmation email',
    templateHint: 'Your own template must contain a link to {{confirmUrl}}.',
    standard: 'Posthorn’s email, in the contact’s language',
    redirectUrl: 'Page after the confirmation',
    redirectUrlHint: 'A URL of your website. Leave it empty to show a page that says the subscription is confirmed.',
    save: 'Save double opt-in',
    saved: 'Double opt-in saved.',
  },
  project: {
    name: 'Name',
    tracking: 'Open and click tracking',
    trackingHint:
      'Records who opens emails and clicks links. Emails that your apps send without a template are never tracked.',
    trackingOptions: {
      ENABLED: 'All template emails',
      MARKETING_ONLY: 'Marketing emails only',
      DISABLED: 'Off',
    },
    language: 'Language',
    languageHint: 'Used for the email footer and the unsubscribe pages of contacts without a language.',
    sendToBounced: 'Send to addresses that bounced',
    sendToBouncedHint:
      'Sends transactional email even to addresses that are suppressed because of a permanent bounce. If this is off, such emails fail, which protects your reputation. Marketing email is never sent to them.',
    publicKeyUpdates: 'Changes with the public key',
    publicKeyUpdatesHint:
      'What your website can change about contacts when it tracks events. It never undoes an opt-out that a contact made.',
    publicKeyUpdatesOptions: {
      all: 'Data and subscription of all contacts',
      new: 'Data and subscription of new contacts only',
      none: 'Nothing: events only',
    },
    save: 'Save settings',
    saved: 'Settings saved.',
    readOnly: 'Only owners and admins can change these settings.',
  },
  branding: {
    title: 'Branding',
    address: 'Postal address',
    addressHint: 'Shown in the footer of marketing emails. Many countries require it.',
    addressInContent: 'The emails themselves contain the postal address',
    addressInContentHint: 'Checks then don’t ask for an address in the footer.',
    logo: 'Logo URL',
    logoHint: 'Upload an image, or enter the URL of one on your website.',
    uploadLogo: 'Upload logo',
    color: 'Brand color',
    font: 'Font',
    darkMode: 'Dark colors in dark mode',
    darkModeHint:
      'Whether visual emails turn dark for people who use dark mode. Emails with their own setting keep it.',
    darkModes: { '': 'Decide in each email', true: 'On', false: 'Off' },
    fonts: { '': 'Default', sans: 'Sans serif', serif: 'Serif', rounded: 'Rounded', mono: 'Monospace' },
    colors: {
      background: 'Background',
      contentBackground: 'Content background',
      textColor: 'Text color',
      linkColor: 'Link color',
    },
    social: 'Social links',
    network: 'Network',
    networks: socialNetworkTexts,
    socialUrl: 'URL',
    addLink: 'Add link',
    removeLink: 'Remove link',
    save: 'Save branding',
    saved: 'Branding saved.',
    preview: {
      title: 'Preview',
      heading: 'Welcome to your new plan',
      text: 'Everything is ready. Read the <link>getting started guide</link> to learn the first steps.',
      button: 'Open dashboard',
      unsubscribe: 'Unsubscribe',
    },
  },
  danger: {
    title: 'Danger zone',
    reset: 'Reset project',
    resetLead:
      'Deletes all contacts, events, templates and other data. The project itself, its API keys, members and domains are kept. This can’t be undone.',
    resetTitle: (project: string) => `Reset ${project}?`,
    resetEffect:
      'This permanently deletes all contacts, events, templates, campaigns, segments, workflows and emails in this project.',
    resetDone: 'Project reset.',
    delete: 'Delete project',
    deleteLead: 'Deletes the project and all of its data. Its API keys stop working immediately. This can’t be undone.',
    deleteTitle: (project: string) => `Delete ${project}?`,
    deleteEffect: 'This permanently deletes the project and all of its data.',
  },
  usage: {
    sources: {
      transactional: 'Transactional',
      campaigns: 'Campaigns',
      workflows: 'Workflows',
      inbound: 'Inbound',
    },
    limitsTitle: 'Monthly limits',
    limitsLead: 'Emails beyond a limit are rejected. Leave a field empty for no limit.',
    noLimit: 'No limit',
    used: (count: number) => `${formatCount(count, { one: 'email', other: 'emails' })} this month`,
    saveLimits: 'Save limits',
    limitsSaved: 'Limits saved.',
    historyTitle: 'Monthly usage',
    historyLead:
      'Emails count when they’re accepted, even if they aren’t sent in the end, so this can be more than the number of sent emails in Reputation. Months start at midnight UTC.',
    ofSource: (count: number, source: string) => `${source} ${formatNumber(count)}`,
    month: 'Month',
    total: 'Total',
  },
  billing: {
    offTitle: 'Billing is disabled',
    off: 'This installation doesn’t charge for emails.',
    offOperator:
      'This installation doesn’t charge for emails. To enable subscriptions and invoices, set <secretKey/> and <priceId/>. Monthly limits work either way.',
    subscription: 'Subscription',
    noSubscription: 'You have no subscription yet.',
    renews: (status: string) => `${status}, renews <time/>`,
    ends: (status: string) => `${status}, ends <time/>`,
    openPortal: 'Open billing portal',
    subscribe: 'Subscribe',
    invoices: 'Invoices',
    noInvoicesTitle: 'No invoices yet',
    noInvoices: 'Stripe creates an invoice at the end of each billing period. You can view and download it here.',
    column: { invoice: 'Invoice', status: 'Status', amount: 'Amount', created: 'Created' },
    draft: 'Draft',
    view: 'View',
    viewInvoice: (number: string | null) => (number ? `View invoice ${number}` : 'View invoice'),
    pdf: 'PDF',
    pdfInvoice: (number: string | null) => (number ? `Download invoice ${number} as PDF` : 'Download invoice as PDF'),
  },
  security: {
    status: 'Status',
    statuses: {
      healthy: { label: 'Healthy', advice: 'Your bounce and spam rates are low.' },
      warning: {
        label: 'Warning',
        advice: 'Your bounce or complaint rate is high. Send only to people who asked for your emails.',
      },
      critical: {
        label: 'Critical',
        advice:
          'Mailbox providers may reject emails from senders with rates like these. Pause your campaigns, and remove contacts who didn’t ask for your emails.',
      },
    },
    disabled: (reason: string | null) =>
      reason ? `Sending is disabled. Reason: ${reason}` : 'Sending is disabled. Contact your administrator.',
    periods: { sevenDay: 'Last 7 days', allTime: 'All time' },
    from: {
      warning: (rate: string) => `Warning from ${rate}`,
      critical: (rate: string) => `Critical from ${rate}`,
    },
    bouncedEmails: 'View bounced emails',
    complainedEmails: 'View emails reported as spam',
    meaning: 'How rates are evaluated',
    period: (emails: number) =>
      `The last 7 days count if you sent at least ${formatNumber(emails)} emails in them. Otherwise, all emails count. Deleted emails are included.`,
    atWarning: '<level>Warning:</level> the overview shows an alert. Your emails are still sent.',
    atCritical:
      '<level>Critical:</level> mailbox providers may start to reject your emails. If this installation uses <setting/>, the project is disabled and can’t send until the operator enables it again.',
    suppressed:
      'Addresses that bounce permanently or report spam receive no further marketing email. See <link>suppressions</link>.',
    bounces: 'Permanent bounces',
    complaints: 'Spam complaints',
    countOf: (count: number, sent: number) =>
      `${formatNumber(count)} of ${formatCount(sent, { one: 'email', other: 'emails' })}`,
    minimum: (count: number) =>
      `Your reputation is rated once you have sent ${formatCount(count, { one: 'email', other: 'emails' })}.`,
  },
})
