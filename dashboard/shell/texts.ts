/** Texts that several pages share: navigation, dialogs, lists, errors and the condition editor. */

import { formatCount, formatNumber, formatPercent } from '../figures/format.ts'
import { translated } from '../languages/language.ts'

export const sharedTexts = translated('shared', {
  productName: 'Posthorn',
  pageTitle: (title: string) => `${title} · Posthorn`,
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  dismiss: 'Dismiss',
  undo: 'Undo',
  delete: 'Delete',
  duplicate: 'Duplicate',
  remove: 'Remove',
  loading: 'Loading',
  retry: 'Try again',
  saved: 'Saved',
  notLoaded: (what: string) => `${what} couldn’t be loaded`,
  checkFields: 'Check the marked fields.',
  actions: 'Actions',
  moreActions: 'More actions',
  missing: '–',
  quoted: (text: string) => `“${text}”`,
  labeled: (label: string, text: string) => `${label}: ${text}`,
  noSubject: '(no subject)',
  clearSearch: 'Clear search and filters',
  requestId: (id: string) => `Request ID: ${id}`,
  typeToConfirm: (text: string) => `Type “${text}” to confirm`,
  subscribed: 'Subscribed',
  notSubscribed: 'Not subscribed',
  secretKey: 'Secret key',
  publicKey: 'Public key',
  contacts: (count: number) => formatCount(count, { one: 'contact', other: 'contacts' }),
})

export const changeTexts = translated('change', {
  none: 'Unchanged',
  up: 'Up',
  down: 'Down',
  percent: (ratio: number) => formatPercent(ratio),
  points: (difference: number) => formatCount(Math.round(difference * 1000) / 10, { one: 'point', other: 'points' }),
  since: (days: number) => `Compared with the previous ${formatNumber(days)} days.`,
})

/** What email counts and rates mean, and what the rates are shares of. The same on every page: docs/analytics.md. */
export const countTexts = translated('count', {
  sent: 'Emails that the mail server accepted.',
  delivered: 'Delivered emails that didn’t bounce later, as a share of emails that were sent or refused.',
  opened:
    'Emails that a person opened or clicked, as a share of delivered emails. If the mail server doesn’t report deliveries: of emails that didn’t bounce.',
  clicked:
    'Emails in which a person clicked a link, as a share of delivered emails. If the mail server doesn’t report deliveries: of emails that didn’t bounce.',
  bounced: 'Permanent bounces, as a share of emails that were sent or refused.',
  complained: 'Emails reported as spam, as a share of emails that were sent or refused.',
  unsubscribed: 'Recipients who unsubscribed through this campaign, as a share of delivered emails.',
})

export const pagerTexts = translated('pager', {
  label: 'Pagination',
  first: 'First page',
  previous: 'Previous',
  next: 'Next',
  /** "51–100 of 244 contacts", or without a known total "51–100". */
  rows: (first: number, rows: number, total: string | undefined) =>
    `${formatNumber(first)}–${formatNumber(first + rows - 1)}${total ? ` of ${total}` : ''}`,
  position: (page: number, totalPages: number) => `Page ${formatNumber(page)} of ${formatNumber(totalPages)}`,
})

export const navigationTexts = translated('navigation', {
  project: 'Project',
  account: 'Account',
  skip: 'Skip to content',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  search: 'Search',
  newProject: 'New project',
  disabled: (reason: string | null) =>
    reason
      ? `This project is disabled and can’t send email. Reason: ${reason}`
      : 'This project is disabled and can’t send email. Contact your administrator.',
  themes: { light: 'Light theme', dark: 'Dark theme', system: 'System theme' },
  apiReference: 'API reference',
  signOut: 'Sign out',
})

export const paletteTexts = translated('palette', {
  label: 'Search and commands',
  placeholder: 'Search or jump to…',
  closeKey: 'Esc',
  hint: 'Type at least two letters to search contacts, campaigns, segments, emails and more.',
  empty: 'No results',
  goTo: 'Go to',
  create: 'Commands',
  projects: 'Projects',
  settings: 'Settings',
  settingsTab: (tab: string) => `Settings: ${tab}`,
  toLight: 'Switch to light theme',
  toDark: 'Switch to dark theme',
  contacts: 'Contacts',
  campaigns: 'Campaigns',
  templates: 'Templates',
  workflows: 'Workflows',
  segments: 'Segments',
  emails: 'Emails',
  email: (subject: string, to: string) => `${subject} to ${to}`,
  contact: (email: string, name: string) => (name ? `${email} (${name})` : email),
  newProject: 'Create project',
  docs: 'Open the documentation',
  signOut: 'Sign out',
})

export const tagTexts = translated('tag', {
  filter: 'Tag',
  all: 'All tags',
  name: 'Tag',
  add: 'Add tag',
  addTo: (name: string) => `Add tag to ${name}`,
  change: 'Edit',
  edit: (name: string) => `Edit tags for ${name}`,
  show: (tag: string) => `Show everything tagged ${tag}`,
  remove: (tag: string) => `Remove tag ${tag}`,
})

/** Lists that are searched by typing. */
export const pickerTexts = translated('picker', {
  recent: 'Recent',
  others: 'All',
  empty: 'No matches',
  searching: 'Searching…',
  failed: 'The list couldn’t be loaded.',
  gone: 'No longer exists',
  more: (count: number) => `${formatNumber(count)} more. Type to find them.`,
  found: (count: number) => (count === 0 ? 'No matches' : formatCount(count, { one: 'match', other: 'matches' })),
  contactPlaceholder: 'Name or address',
  templatePlaceholder: 'Search templates',
  segmentPlaceholder: 'Search segments',
  workflowPlaceholder: 'Search workflows',
  campaignPlaceholder: 'Search campaigns',
  segmentSize: (count: number) => formatCount(count, { one: 'contact', other: 'contacts' }),
})

export const socialNetworkTexts = translated('socialNetwork', {
  website: 'Website',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
})

export const sortTexts = translated('sort', {
  ascending: 'sorted ascending',
  descending: 'sorted descending',
})

export const shortcutTexts = translated('shortcut', {
  title: 'Keyboard shortcuts',
  general: 'Everywhere',
  palette: 'Search and commands',
  search: 'Search this list',
  save: 'Save',
  submit: 'Submit the form',
  help: 'Show keyboard shortcuts',
  lists: 'Lists',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open row',
  select: 'Select row',
  goTo: 'Go to',
  keyAfter: 'then',
  keyOr: 'or',
})

export const errorTexts = translated('error', {
  notFoundTitle: 'Page not found',
  notFound: 'The link may be wrong, or what it leads to may have been deleted.',
  home: 'Go to the dashboard',
  missing: (title: string) => `${title} not found`,
  backTo: (label: string) => `Back to ${label.toLowerCase()}`,
  failedTitle: 'Something went wrong',
})

export const accountFieldTexts = translated('accountField', {
  email: 'Email',
  password: 'Password',
  passwordHint: 'Use at least 8 characters.',
})

export const colorTexts = translated('color', { pick: (label: string) => `${label}: choose a color` })

export const capturedTexts = translated('captured', { notice: 'Test mode: emails are kept here and not sent.' })

export const connectionTexts = translated('connection', {
  offline: 'You’re offline. Posthorn will reconnect automatically, and your changes are kept.',
  unreachable: 'Posthorn can’t be reached. Retrying…',
  retry: 'Try now',
  slow: 'This is taking longer than usual.',
})

export const unsavedTexts = translated('unsaved', {
  title: 'Leave without saving?',
  lead: 'You have unsaved changes on this page. If you leave, they will be lost.',
  stay: 'Keep editing',
  leave: 'Discard changes',
  restored: 'Your unsaved changes were restored.',
  discard: 'Discard changes',
  discardEntered: 'Discard your changes?',
})

export const testEmailTexts = translated('testEmail', {
  open: 'Send test email',
  to: 'Recipient',
  send: 'Send test email',
  sent: (address: string) => `Test email sent to ${address}.`,
  view: 'View email',
})

export const sharedBlockTexts = translated('sharedBlock', {
  layout: 'Layout',
  layoutHint: 'The header and footer around this email.',
  noLayout: 'No layout',
  insert: 'Saved blocks',
  choose: 'Insert a copy…',
  save: 'Save block',
  saveLead: 'Your team can insert a copy of this block into other emails.',
  saved: 'Block saved.',
  name: 'Name',
})

export const emailPreviewTexts = translated('emailPreview', {
  imagesBlocked: 'Remote images are blocked.',
  showImages: 'Show images',
  probe: 'Height of the email',
  desktop: 'Desktop width',
  phone: 'Phone width',
  light: 'Show in light mode',
  dark: 'Show in dark mode',
})

export const imageUploadTexts = translated('imageUpload', { imageFile: 'Image file' })

export const bodyEditorTexts = translated('bodyEditor', {
  section: 'Body',
  editor: 'Body (HTML with Liquid)',
  hint: 'Supports Liquid and fallbacks: <variable/>, <tag/>',
  uploadImage: 'Upload image',
  copyImage: 'Copy image tag',
})

/** Statuses, by what has them: in many languages, an email and a campaign are not sent with the same word. */
export const statusTexts = translated('status', {
  emails: {
    SCHEDULED: 'Scheduled',
    PENDING: 'Pending',
    SENDING: 'Sending',
    SENT: 'Sent',
    DELIVERED: 'Delivered',
    OPENED: 'Opened',
    CLICKED: 'Clicked',
    BOUNCED: 'Bounced',
    COMPLAINED: 'Marked as spam',
    FAILED: 'Failed',
    CANCELLED: 'Canceled',
    SKIPPED: 'Skipped',
    RECEIVED: 'Received',
  },
  sources: {
    TRANSACTIONAL: 'Transactional',
    CAMPAIGN: 'Campaign',
    WORKFLOW: 'Workflow',
    INBOUND: 'Inbound',
    TEST: 'Test',
  },
  campaigns: {
    DRAFT: 'Draft',
    SCHEDULED: 'Scheduled',
    SENDING: 'Sending',
    SENT: 'Sent',
    CANCELLED: 'Canceled',
    PAUSED: 'Paused',
    NOT_STARTED: 'Not started',
  },
  /** The statuses of executions of workflows and of their steps. */
  executions: {
    RUNNING: 'Running',
    WAITING: 'Waiting',
    COMPLETED: 'Completed',
    EXITED: 'Exited',
    SKIPPED: 'Skipped',
    FAILED: 'Failed',
    CANCELLED: 'Canceled',
  },
  subscriptions: {
    active: 'Active',
    trialing: 'Trialing',
    past_due: 'Past due',
    unpaid: 'Unpaid',
    canceled: 'Canceled',
    incomplete: 'Incomplete',
    incomplete_expired: 'Incomplete expired',
    paused: 'Paused',
  },
  invoices: {
    draft: 'Draft',
    open: 'Open',
    paid: 'Paid',
    uncollectible: 'Uncollectible',
    void: 'Void',
  },
})

export const chartTexts = translated('chart', {
  day: 'Day',
  today: (day: string) => `${day}, so far`,
  todaySoFar: 'Today so far',
})

/** What happens in a project, as in the activity feed. Events that you track are shown by their own name. */
export const activityTexts = translated('activities', {
  entersSegment: (segment: string) => `Entered segment “${segment}”`,
  leavesSegment: (segment: string) => `Left segment “${segment}”`,
  types: {
    'email.sent': 'Email sent',
    'email.delivery': 'Email delivered',
    'email.open': 'Email opened',
    'email.click': 'Link clicked',
    'email.bounce': 'Email bounced',
    'email.complaint': 'Marked as spam',
    'email.failed': 'Email failed',
    'email.received': 'Email received',
    'contact.subscribed': 'Contact subscribed',
    'contact.confirmed': 'Subscription confirmed',
    'contact.unsubscribed': 'Contact unsubscribed',
    'campaign.scheduled': 'Campaign scheduled',
    'campaign.sent': 'Campaign started',
    'workflow.started': 'Workflow started',
    'workflow.completed': 'Workflow completed',
    'workflow.failed': 'Workflow failed',
  } as Record<string, string>,
})

/** Events that Posthorn records itself, next to the email or contact they belong to. */
export const eventLabels: Record<string, string> = translated('eventLabels', {
  scheduled: 'Scheduled',
  queued: 'Accepted',
  'copy-refused': 'Copy refused',
  'copy-deferred': 'Copy delayed',
  'copy-report': 'Report about a copy',
  'contact.confirmed': 'Confirmed',
  'contact.unsubscribed': 'Unsubscribed',
  'contact.subscribed': 'Subscribed',
  'email.sent': 'Sent',
  'email.delivery': 'Delivered',
  'email.open': 'Opened',
  'email.click': 'Clicked',
  'email.bounce': 'Bounced',
  'email.complaint': 'Marked as spam',
  'email.failed': 'Failed',
  'email.received': 'Received',
})

/** The choice of a topic for an email. */
export const topicTexts = translated('topic', {
  label: 'Topic',
  none: 'No topic',
  hint: 'Only contacts who are subscribed to the topic receive the email.',
})

/** The service has English names for the two keys of a project. */
export const keyName = (name: string): string =>
  ({ 'Secret key': sharedTexts.secretKey, 'Public key': sharedTexts.publicKey })[name] ?? name
