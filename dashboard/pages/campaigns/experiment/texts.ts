/** Texts of experiments: set-up in the campaign editor, and results on the page of the campaign. */

import { formatCount, formatList, formatMinutes, formatNumber, formatPercent } from '../../../figures/format.ts'
import { translated } from '../../../languages/language.ts'

const recipients = (count: number) => formatCount(count, { one: 'recipient', other: 'recipients' })

const METRICS = { opens: 'open rate', clicks: 'click rate', conversions: 'conversion rate' }

export const experimentTexts = translated('experiment', {
  title: 'Experiment (A/B test)',
  setup: {
    lead: 'Send variants to part of the audience, and the best of them to the rest.',
    empty:
      'Find out which subject, sender or content works best before most people get the email. A small part of the audience receives the variants at random; after a few hours, everyone else gets the winner. You need at least 200 recipients.',
    add: 'Add experiment',
    remove: 'Remove experiment',
    timed:
      'This campaign is scheduled with a time for each recipient, which can’t be combined with an experiment. To add one, change the sending time first.',
    parts: 'What differs',
    partLabels: { subject: 'Subject', sender: 'Sender', preheader: 'Preheader', content: 'Content' },
    noParts: 'Choose at least one. To learn what made the difference, choose only one.',
    onePart: 'To learn what made the difference, test one thing at a time.',
    variant: (name: string) => `Variant ${name}`,
    name: 'Name',
    removeVariant: (name: string) => `Remove variant ${name}`,
    addVariant: 'Add variant',
    mostVariants: (count: number) => `An experiment has up to ${count} variants.`,
    asCampaign: 'Empty: as in the campaign',
    subject: 'Subject',
    from: 'From',
    fromName: 'Sender name',
    preheader: 'Preheader',
    contentBelow: 'Each variant can have its own content. The buttons above the content choose which one you edit.',
    same: (first: string, second: string) =>
      `${first} and ${second} are the same so far. Change something in one of them, otherwise the test has no result.`,
    share: 'Share of the audience that gets the test',
    shareValue: (share: number) => formatPercent(share / 100, 0),
    split: (variants: number, each: number, rest: number) =>
      `${formatNumber(variants)} variants to about ${recipients(each)} each, and the winner to the other ${formatNumber(rest)}.`,
    splitUnknown: (variants: number, share: number) =>
      `${formatNumber(variants)} variants to ${formatPercent(share / 100, 0)} of the audience, and the winner to the other ${formatPercent(1 - share / 100, 0)}.`,
    rest: 'Winner',
    tooSmall: (test: number, most: number, needed: number | undefined) =>
      needed === undefined
        ? `The test would have ${recipients(test)}; it needs at least ${most}. Choose an audience of at least ${most * 2} contacts.`
        : `The test would have ${recipients(test)}; it needs at least ${most}. Raise the share to ${needed}% or more.`,
    metric: 'The winner has the most',
    metrics: {
      opens: { title: 'Opens', hint: 'For subjects, senders and preheaders. Opens by machines don’t count.' },
      clicks: { title: 'Clicks', hint: 'For content. Clicks by link scanners don’t count.' },
      conversions: { title: 'Conversions', hint: 'An event, such as a purchase, that follows a click.' },
    },
    conversionEvent: 'Event that counts as a conversion',
    wait: 'Test duration',
    waitHint: 'From 15 minutes to 7 days, counted from the start. Most people open an email within a few hours.',
    unit: 'Unit',
    units: { minute: 'minutes', hour: 'hours', day: 'days' },
    selection: 'Who chooses the winner',
    selections: {
      automatic: {
        title: 'Posthorn, at the end of the test',
        hint: 'The rest of the audience gets the winner without further action.',
      },
      manual: {
        title: 'You, manually',
        hint: 'The rest of the audience waits until you choose on the page of the campaign.',
      },
    },
  },
  content: {
    label: 'Content of',
    campaign: 'Campaign',
    as: (name: string) => `Variant ${name} has the content of the campaign.`,
    own: (name: string) => `Write other content for ${name}`,
    ownHint: 'It starts as a copy of the campaign’s content.',
    reset: 'Use the campaign’s content',
    wasReset: (name: string) => `Variant ${name} has the content of the campaign again.`,
  },
  results: {
    summary: (
      share: number,
      metric: keyof typeof METRICS,
      waitMinutes: number,
      selection: 'automatic' | 'manual',
    ): string => {
      const test = `${formatPercent(share / 100, 0)} of the audience gets a variant.`
      const wait = formatMinutes(waitMinutes)
      return selection === 'automatic'
        ? `${test} After ${wait}, the one with the highest ${METRICS[metric]} is sent to the rest.`
        : `${test} After ${wait}, you choose which one is sent to the rest.`
    },
    none: 'Find out which subject, sender or content works best: variants go to part of the audience, and the best of them to the rest.',
    add: 'Set up experiment',
    change: 'Change experiment',
    badge: 'A/B test',
    statuses: {
      draft: 'Not started',
      testing: 'Test running',
      deciding: 'Waiting for a winner',
      sending: 'Winner is being sent',
      done: 'Completed',
    },
    testing: 'The test runs until <time/>.',
    next: {
      automatic: (metric: keyof typeof METRICS, rest: number) =>
        `Then the variant with the highest ${METRICS[metric]} is sent to the other ${recipients(rest)}. You can also choose one now.`,
      manual: (rest: number) =>
        `The other ${recipients(rest)} wait until you choose a variant. You can do so at any time.`,
    },
    over: (rest: number) => `The test is over. Choose the variant that the other ${recipients(rest)} get.`,
    deciding: 'The test is over. The winner is chosen as soon as all of its emails are sent.',
    decided: {
      system: (name: string) => `${name} was chosen automatically <time/>.`,
      user: (name: string, who: string) => `${name} was chosen by ${who} <time/>.`,
      key: (name: string, who: string) => `${name} was chosen with the API key “${who}” <time/>.`,
    },
    canceled: 'The campaign was canceled before a winner was chosen. The rest of the audience received nothing.',
    conclusion: {
      none: 'There are no results yet.',
      ahead: (name: string, probability: number) =>
        `${name} is ahead: the probability that it is the best is ${formatPercent(probability, 0)}.`,
      equal: (names: string[]) => `${formatList(names)} are equal so far.`,
      close: (name: string, needed: number | null) =>
        needed === null
          ? `${name} is ahead, but by so little that even a million more recipients wouldn’t be enough.`
          : `${name} is ahead, but by too little to be sure; ${formatNumber(needed)} more recipients are needed.`,
      won: (name: string) => `${name} won.`,
      chosen: (name: string) =>
        `${name} was chosen, but the difference between the variants is too small to be sure that it is the best.`,
    },
    inconclusive: 'For a clearer result next time, test variants that differ more, or a larger share of the audience.',
    table: 'Results by variant',
    column: {
      variant: 'Variant',
      sent: 'Sent',
      opens: 'Opened',
      clicks: 'Clicked',
      conversions: 'Converted',
      best: 'Probability of being best',
      bestShort: 'Best',
    },
    differs: 'Differs in',
    asCampaign: 'As in the campaign',
    ownContent: 'Own content',
    from: (from: string) => `From ${from}`,
    preheader: (preheader: string) => `Preheader: ${preheader}`,
    winner: 'Winner',
    bestHint:
      'How likely it is that this variant has the highest rate, given the numbers so far. A winner above 80% counts as clear.',
    choose: 'Send to the rest',
    chooseNamed: (name: string) => `Send to the rest: ${name}`,
    chooseTitle: (name: string) => `Send ${name} to the rest of the audience?`,
    chooseEffect: (rest: number) =>
      `This ends the test. ${recipients(rest)} get this variant now, unless they unsubscribed meanwhile. This can’t be undone.`,
    chosen: (name: string) => `${name} is sent to the rest of the audience.`,
    preview: 'Variant',
  },
})
