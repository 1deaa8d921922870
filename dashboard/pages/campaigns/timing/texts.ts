/** Texts about the time at which each recipient gets a campaign, and about its waves. */

import { formatCount, formatDay, formatMinutes, formatNumber, pickPlural } from '../../../figures/format.ts'
import { translated } from '../../../languages/language.ts'

/** "1 recipient", "310 recipients". */
const recipients = (count: number) => formatCount(count, { one: 'recipient', other: 'recipients' })

interface Timing {
  localTime: { date: string; time: string; fallback: string } | null
  spreadMinutes: number | null
  bestHour: boolean
}

function describeTiming({ localTime, spreadMinutes, bestHour }: Timing): string {
  if (bestHour) return 'Each recipient gets the email at the hour at which they open most emails.'
  const spread = spreadMinutes ? `spread over ${formatMinutes(spreadMinutes)}` : ''
  if (!localTime) return `The emails are ${spread}.`
  const at = `Each recipient gets the email on ${formatDay(localTime.date)} at ${localTime.time} in their time zone`
  return `${at}${spread && `, ${spread}`}. Without a known time zone, it is ${localTime.fallback}.`
}

export const timingTexts = translated('timing', {
  describe: describeTiming,
  mode: 'Sending time',
  modes: {
    together: 'The same time for everyone',
    localTime: 'A time in each recipient’s time zone',
    spread: 'Spread over several hours',
    bestHour: 'Each recipient’s best hour',
  },
  hints: {
    together: 'All emails are sent as soon as possible after the start.',
    localTime:
      'Everyone gets the email at the same time of day, wherever they live. The time zone is in the field “timezone” of contacts.',
    spread: 'The emails are sent evenly, so that your website or support team isn’t overrun.',
    bestHour:
      'Within a day of the start, at the hour at which the recipient opened most emails in the last 180 days. Recipients with fewer than five opens get it at the start.',
  },
  localAt: 'Local date and time',
  fallback: 'Time zone if unknown',
  spread: 'Spread over',
  noSpread: 'Not spread',
  startsAt: 'Sending starts <time/> your time, when the first time zones reach this time. The audience is fixed then.',
  startsNow:
    'Sending starts now, because the first time zones have reached this time. In zones where it has passed, recipients get the email at once.',
  withExperiment: 'All recipients get this campaign at the same time, because it has an experiment.',
  quietHours: (from: string, to: string, timezone: string) =>
    `Quiet hours: from ${from} to ${to} (${timezone}), marketing email waits.`,
  waves: {
    title: 'Sending times',
    summary: (sent: number, total: number) => `${formatNumber(sent)} of ${recipients(total)} sent so far.`,
    next: (count: number) =>
      `The next ${pickPlural(count, { one: 'recipient gets', other: `${formatNumber(count)} recipients get` })} it on <time/>.`,
    numbers: 'Show the numbers',
    time: 'Time',
    recipients: 'Recipients',
    sent: 'Sent',
    interval: (at: string, count: number, sent: number) => `${at}: ${recipients(count)}, ${formatNumber(sent)} sent`,
    legend: { sent: 'Sent', waiting: 'Waiting' },
    zone: (zone: string) => `Times are in your time zone, ${zone}.`,
  },
})
