/** Texts of the campaign pages: list, campaign, editor and sending. */

import { formatCount, formatDuration, formatNumber } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

/** "2.5 points above average", "1 point below average". */
function againstAverage(difference: number): string {
  const value = Math.round(Math.abs(difference) * 1000) / 10
  if (value === 0) return 'average'
  return `${formatCount(value, { one: 'point', other: 'points' })} ${difference > 0 ? 'above' : 'below'} average`
}

const REASONS = {
  notSubscribed: 'not subscribed',
  pendingConfirmation: 'with a pending confirmation',
  paused: 'who paused marketing email',
  topic: 'who don’t receive this topic',
  suppressed: 'suppressed',
  frequencyCap: 'who have reached the frequency cap',
  sunset: 'who open and click nothing (sunset rule)',
}

const WEEKDAYS = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
}

interface Rule {
  every: 'day' | 'week' | 'month'
  time: string
  timezone: string
  weekdays: number[] | null
  day: number | null
}

/** "Every Monday at 09:00 (Europe/Berlin)". */
function describeRule({ every, time, timezone, weekdays, day }: Rule): string {
  const days = (weekdays ?? []).map((weekday) => WEEKDAYS[weekday as keyof typeof WEEKDAYS])
  const when = { day: 'day', week: days.join(' and '), month: `month on day ${day}` }[every]
  return `Every ${when} at ${time} (${timezone}).`
}

export const texts = translated('campaigns', {
  title: 'Campaigns',
  lead: 'Send one email to many contacts, right away or at a scheduled time.',
  create: 'Create campaign',
  column: {
    name: 'Name',
    status: 'Status',
    sent: 'Sent',
    openRate: 'Open rate',
    clickRate: 'Click rate',
    date: 'Date',
  },
  progress: (sent: number, total: number) =>
    sent === total ? formatNumber(sent) : `${formatNumber(sent)} of ${formatNumber(total)}`,
  /** What the date of a campaign in the list is. */
  dates: {
    SENT: 'Sent <time/>',
    SENDING: 'Started <time/>',
    SCHEDULED: 'Starts <time/>',
    CANCELLED: 'Canceled <time/>',
    DRAFT: 'Edited <time/>',
  },
  results: (sent: number, openRate: string, clickRate: string) =>
    `${formatNumber(sent)} sent · ${openRate} opened · ${clickRate} clicked`,
  search: 'Search campaigns',
  status: 'Status',
  anyStatus: 'Any status',
  sort: 'Sort by',
  sorts: { '': 'Newest first', updatedAt: 'Recently edited', name: 'Name' },
  emptyTitle: 'No campaigns yet',
  empty:
    'A campaign sends one email to all contacts, a segment, or contacts that match a condition. Track opens and clicks as they happen.',
  noMatchTitle: 'No matching campaigns',
  noMatch: 'Try a different search or status.',
  one: {
    title: 'Campaign',
    startsAt: 'Starts <time/>',
    started: 'Started <time/>',
    startedAndEnded: 'Started <start/>, ended <end/>',
    updated: 'Last edited <time/>',
    notStarted: (reason: string) => `The campaign didn’t start at its scheduled time. Reason: ${reason}`,
    content: 'Content',
    contentLead: 'Preview with a sample contact.',
    contentLeadWithClicks:
      'Preview with a sample contact. Each badge shows how many recipients clicked that link, and their share of delivered emails.',
    canceled: 'Canceled <time/>',
    preview: 'Campaign preview',
    subject: 'Subject',
    from: 'From',
    replyTo: 'Reply-to',
    audience: 'Audience',
    segment: (name: string) => `Segment “${name}”`,
    audiences: { ALL: 'All contacts', SEGMENT: 'A segment', FILTERED: 'Contacts that match a condition' },
  },
  actions: {
    edit: 'Edit campaign',
    test: 'Sends one email with the last saved content. Test emails aren’t included in the statistics.',
    pause: 'Pause campaign',
    resume: 'Resume campaign',
    paused: 'Campaign paused.',
    resumed: 'Campaign resumed.',
    cancel: 'Cancel campaign',
    cancelTitle: 'Cancel this campaign?',
    keep: 'Keep campaign',
    cancelScheduled: 'Nothing has been sent yet, and the campaign won’t start. Duplicate it to send it later.',
    cancelSending: (sent: number, pending: number) =>
      `${formatCount(sent, { one: 'email was', other: 'emails were' })} already sent and can’t be recalled; ${formatNumber(pending)} won’t be sent. Duplicate the campaign to send it again.`,
    cancelled: 'Campaign canceled.',
    duplicated: 'Campaign duplicated as a draft.',
    followUps: {
      NOT_OPENED: 'Follow up with recipients who didn’t open',
      OPENED: 'Follow up with recipients who opened',
      CLICKED: 'Follow up with recipients who clicked',
      NOT_CLICKED: 'Follow up with recipients who didn’t click',
    },
    followUpCreated: 'Draft created. Its audience is a new segment of these recipients.',
    deleted: 'Campaign deleted.',
    delete: { title: 'Delete this campaign?', action: 'Delete campaign' },
    deleteEffect:
      'This permanently deletes the campaign and its statistics. Emails already sent are kept. To delete a campaign that is still sending, cancel it first.',
  },
  audience: {
    title: 'Audience',
    legend: 'Audience type',
    kinds: {
      ALL: { title: 'All contacts', hint: 'Every contact who can receive this email.' },
      SEGMENT: { title: 'A segment', hint: 'The contacts in the segment when sending starts.' },
      FILTERED: { title: 'A condition', hint: 'Contacts that match the condition you set below.' },
    },
    segment: 'Segment',
    incomplete: 'Choose an audience to see how many contacts it includes.',
    counting: 'Counting contacts…',
    count: (count: number) => `<strong>${sharedTexts.contacts(count)}</strong> will receive this campaign.`,
    /** Empty if everyone gets it. */
    left: (total: number, reasons: Array<{ reason: keyof typeof REASONS; count: number }>) => {
      if (reasons.length === 0) return ''
      const parts = reasons.map(({ reason, count }) => `${formatNumber(count)} ${REASONS[reason]}`)
      return `Of ${sharedTexts.contacts(total)} in this audience, these won’t get it: ${parts.join(', ')}.`
    },
  },
  editor: {
    createTitle: 'Create campaign',
    createLead: 'Nothing is sent until you review the campaign on the next page.',
    save: 'Save campaign',
    saved: 'Campaign saved.',
    /** Labels of what two people may have changed. */
    parts: { audience: 'Audience', utm: 'Link parameters', feed: 'Feed', experiment: 'Experiment' },
    scheduled: (zone: string) =>
      `This campaign is scheduled for <time/> (${zone}). Changes you save are included when it’s sent.`,
    template: 'Start from template',
    gallery: 'Choose a design',
    galleryTitle: 'Start from a gallery design',
    galleryLead: 'Ready-made emails in the look of your project. Your sender and your audience stay as they are.',
    templateCopied: (name: string) => `Content copied from “${name}”.`,
    typeKept: 'The campaign still goes to subscribed contacts only. To change this, edit its type.',
    replaceTitle: 'Replace the content of this campaign?',
    replaceEffect: (name: string) =>
      `The subject, body, sender and type of this campaign are replaced with those of the template “${name}”. A transactional template doesn’t change the type. You can undo this until you save or leave the page.`,
    replace: 'Replace content',
    keepContent: 'Keep content',
    test: 'Sends the current content, including unsaved changes. Test emails don’t create a contact and aren’t included in the statistics.',
  },
  links: {
    title: 'Links',
    lead: 'UTM parameters tell your web analytics that visitors come from this campaign.',
    mode: 'UTM parameters',
    project: 'Those of the project',
    projectNone: 'Those of the project: none',
    own: 'Only for this campaign',
    none: 'None',
    parts: { source: 'Source', medium: 'Medium', campaign: 'Campaign' },
  },
  feed: {
    title: 'Feed',
    lead: 'Show the posts of a blog, or data from your own server, in the email.',
    format: 'Source',
    formats: { '': 'None', rss: 'RSS or Atom feed', json: 'JSON' },
    url: 'Address',
    hints: {
      rss: 'The email has its items as feed.items. It is fetched once, when the campaign starts.',
      json: 'The email has the data as feed. It is fetched once, when the campaign starts.',
    },
    maxItems: 'Items at most',
    check: 'Check feed',
  },
  recurrence: {
    title: 'Recurrence',
    lead: 'The campaign stays a draft. Each time, a copy of it is sent, as it is at that moment.',
    none: 'Send a copy of this draft every day, week or month.',
    rule: describeRule,
    next: 'The next copy is sent <time/>.',
    states: { active: '', paused: 'Paused.', ended: 'Ended.' },
    sent: (count: number) => `${formatCount(count, { one: 'campaign', other: 'campaigns' })} sent so far.`,
    last: 'Last time, <time/>:',
    show: 'Show campaign',
    history: 'History',
    historyLead: 'What happened each time, newest first.',
    at: 'Time',
    outcome: 'Result',
    more: 'Show more',
    copyOf: 'Sent by a <link>recurring campaign</link>',
    badge: 'Recurring',
    add: 'Add recurrence',
    change: 'Change recurrence',
    save: 'Save recurrence',
    saved: 'Recurrence saved.',
    pause: 'Pause recurrence',
    paused: 'Recurrence paused.',
    resume: 'Resume recurrence',
    resumed: 'Recurrence resumed.',
    remove: 'Delete recurrence',
    removeTitle: 'Delete this recurrence?',
    removeEffect: 'No more copies are sent. The draft and the campaigns that were sent are kept.',
    removed: 'Recurrence deleted.',
    every: 'Every',
    periods: { day: 'Day', week: 'Week', month: 'Month' },
    weekday: 'On',
    weekdays: WEEKDAYS,
    day: 'Day of the month',
    dayHint: 'In a shorter month, it is the last day.',
    time: 'Time',
    timezone: 'Time zone',
    startsOn: 'First date (optional)',
    endsOn: 'Last date (optional)',
    count: 'Number of campaigns (optional)',
    useTemplate: 'Use the content that the template has at that moment',
  },
  archive: {
    title: 'Public archive',
    lead: 'A page on the web, and an Atom feed, with the campaigns that you make public.',
    show: 'Show this campaign in the public archive',
    onceSent: 'It appears there once it is sent.',
    shown: 'The campaign is public.',
    hidden: 'The campaign is no longer public.',
    openCampaign: 'Open this campaign in the archive',
    openArchive: 'Open archive',
    openFeed: 'Atom feed',
    off: 'The archive of this project is off. <link>Turn it on in the settings</link>',
    offForMembers: 'The archive of this project is off. Owners and admins can turn it on in the settings.',
  },
  send: {
    open: 'Send campaign',
    changeTime: 'Change time',
    openScheduled: 'Send or reschedule campaign',
    title: (name: string) => `Send “${name}”`,
    when: 'When',
    times: { now: { title: 'Now' }, later: { title: 'Schedule for later' } },
    dateTime: 'Date and time',
    timeZone: (zone: string) => `Your time zone is ${zone}.`,
    submitNow: (count: number | undefined) =>
      count === undefined ? 'Send campaign' : `Send to ${sharedTexts.contacts(count)}`,
    submitLater: (count: number | undefined) =>
      count === undefined ? 'Schedule campaign' : `Schedule for ${sharedTexts.contacts(count)}`,
    scheduled: 'Campaign scheduled.',
    started: 'Campaign started.',
  },
  live: {
    progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} processed`,
    paused: (done: number, total: number) => `Paused at ${formatNumber(done)} of ${formatNumber(total)}`,
    pausedHint: 'No more emails are sent until you resume the campaign.',
    waiting: {
      warmUp:
        'The sender domain is warming up and has sent its marketing email for today. Sending continues on <until/>.',
      quietHours: 'These are the quiet hours of the project. Sending continues on <until/>.',
    },
    nextWave: 'The emails that are due are sent. Sending continues on <until/>.',
    winner: 'The test of the experiment is sent. The rest waits for the winner.',
    rate: (perSecond: number | undefined) =>
      perSecond === undefined
        ? 'Measuring speed…'
        : `${formatCount(Math.round(perSecond), { one: 'email', other: 'emails' })} per second`,
    timeLeft: (seconds: number | undefined) => {
      if (seconds === undefined) return 'Estimating time left…'
      return seconds < 60 ? 'Less than a minute left' : `About ${formatDuration(seconds)} left`
    },
  },
  recipients: {
    title: 'Recipients',
    column: { email: 'Email', status: 'Status', opens: 'Opens', clicks: 'Clicks', sent: 'Sent' },
    empty: 'No recipients with this status.',
    total: (count: number) => formatCount(count, { one: 'recipient', other: 'recipients' }),
    retry: (count: number) => `Retry ${formatCount(count, { one: 'failed email', other: 'failed emails' })}`,
    retried: (count: number) => `${formatCount(count, { one: 'email', other: 'emails' })} queued again.`,
  },
  report: {
    byHour: 'Opens and clicks by hour',
    byDay: 'Opens and clicks by day',
    engagementLead: (since: string) =>
      `Since sending started on ${since}. Each recipient is counted once, at their first open and their first click.`,
    opened: 'Opened',
    clicked: 'Clicked',
    time: 'Time',
    interval: (at: string, opened: number, clicked: number) =>
      `${at}: ${formatNumber(opened)} opened, ${formatNumber(clicked)} clicked`,
    links: 'Links',
    linksLead:
      'Recipients who clicked each link, as a share of delivered emails, as the click rate. A recipient can click several.',
    link: 'Link',
    clicks: 'Clicks',
    bounces: 'Bounces',
    bouncesLead: 'Grouped by recipient domain and by the receiving server’s response.',
    domain: 'Domain',
    count: 'Emails',
    noReason: 'No reason given',
    bounceRate: 'Bounce rate',
    thisCampaign: 'This campaign',
    comparison: (count: number) =>
      `Compared with ${formatCount(count, { one: 'earlier campaign', other: 'earlier campaigns' })} at the same age`,
    comparisonLead: (age: string, opens: number, clicks: number) =>
      `All numbers are from ${age} after the start of sending. The open rate is ${againstAverage(opens)}, and the click rate is ${againstAverage(clicks)}.`,
  },
  stats: {
    label: 'Statistics',
    sent: 'Sent',
    delivered: 'Delivered',
    opened: 'Opened',
    clicked: 'Clicked',
    bounced: 'Bounced',
    unsubscribed: 'Unsubscribed',
    complained: 'Spam complaints',
    conversions: (count: number, share: string, revenue: string) =>
      `${formatCount(count, { one: 'conversion', other: 'conversions' })}, ${share} of delivered emails${revenue && `, worth ${revenue}`}`,
    skipped: {
      frequencyCap: (count: number) =>
        `${formatCount(count, { one: 'email was', other: 'emails were' })} skipped because of the frequency cap`,
      sunset: (count: number) =>
        `${formatCount(count, { one: 'email was', other: 'emails were' })} skipped because of the sunset rule`,
    },
  },
})
