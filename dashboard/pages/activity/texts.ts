/** Texts of the activity page. */

import { formatCount } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

export const texts = translated('activity', {
  title: 'Activity',
  lead: 'Everything that happens in this project, in real time.',
  type: 'Type',
  allTypes: 'All activity',
  categories: {
    emails: 'All emails',
    contacts: 'All contact changes',
    campaigns: 'All campaigns',
    workflows: 'All workflows',
    tracked: 'All tracked events',
  },
  period: 'Period',
  periods: { '': 'Any time', 1: 'Today', 7: 'Last 7 days', 30: 'Last 30 days' },
  clearFilters: 'Clear filters',
  onlyContact: (email: string) => `Show only activity for ${email}`,
  /** How many consecutive events there were, and for how many contacts. */
  group: (times: number, contacts: number) =>
    contacts === times
      ? sharedTexts.contacts(contacts)
      : [
          formatCount(times, { one: 'time', other: 'times' }),
          ...(contacts > 0 ? [sharedTexts.contacts(contacts)] : []),
        ].join(' · '),
  older: 'Show older activity',
  noMatchTitle: 'No matching activity',
  noMatch: 'Try a different type or period.',
  live: 'Live',
  paused: 'Paused',
  connecting: 'Connecting…',
  pause: 'Pause updates',
  resume: 'Resume updates',
  emptyTitle: 'No activity yet',
  empty:
    'Emails, events, campaigns and workflows appear here as they happen. Send an email or track an event to see the first entry.',
  latest: 'Latest activity',
  sendFirst: 'Send your first email',
  upcoming: {
    title: 'Upcoming',
    empty:
      'Nothing is scheduled. Scheduled campaigns and emails, and contacts that are waiting in workflows appear here.',
    unnamed: 'Unnamed',
    campaignStarts: 'Scheduled campaign',
    emailSent: (email: string | undefined) => `Scheduled email to ${email ?? 'a contact'}`,
    waits: (email: string | undefined, event: string) => `Workflow: ${email ?? 'a contact'} is waiting for “${event}”`,
    continues: (email: string | undefined) => `Workflow: next step for ${email ?? 'a contact'}`,
  },
})
