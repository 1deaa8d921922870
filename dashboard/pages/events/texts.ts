/** Texts of the events page. */

import { formatCount, formatList, pickPlural } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

const CONTACTS = { one: 'contact', other: 'contacts' }

const eventCount = (count: number) => formatCount(count, { one: 'event', other: 'events' })

export const texts = translated('events', {
  title: 'Events',
  lead: 'Track what your users do. Events start workflows and can be used in segment conditions.',
  column: { event: 'Event', contact: 'Contact', data: 'Data', date: 'Date' },
  name: 'Event name',
  allEvents: 'All events',
  own: 'Your events',
  system: 'Email and segment events',
  emptyTitle: 'No events yet',
  empty: 'Send this request to track the first one. It also creates the contact if the address is new.',
  noMatchTitle: 'No matching events',
  example: 'curl example for tracking an event',
  track: {
    open: 'Track an event',
    lead: 'Send this request from your website or app. An event creates its contact if the address is new.',
    save: 'Store the properties as contact fields too',
    notSaved: '“data” has the properties of the event. With “persistent”: false, they stay with the event.',
    saved: 'Each property in “data” becomes a field of the contact, and replaces its value.',
    more: 'See the <docs>API reference</docs> for all options.',
  },
  chart: {
    title: (event: string) => `${event} by day`,
    lead: (count: number) => `${eventCount(count)} in this period, by UTC day.`,
    period: 'Period',
    periods: { 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last 365 days' },
    events: 'Events',
  },
  history: {
    open: 'Import history',
    lead: 'Add events of the past, so that charts and segments have them. Each line of a file describes one.',
    example: 'Example of a line',
    rules:
      'A CSV file with the columns email, event and timestamp works too. Imported events start no workflows and change no contacts. Contacts must exist. Up to 5 MB in a file.',
    docs: 'Read the details',
    file: 'File with events',
    choose: 'Choose a file',
    done: (imported: number, existing: number, skipped: number) =>
      [
        `${eventCount(imported)} imported.`,
        ...(existing > 0 ? [`${eventCount(existing)} already imported.`] : []),
        ...(skipped > 0 ? [`${formatCount(skipped, { one: 'row', other: 'rows' })} skipped.`] : []),
      ].join(' '),
    skipped: 'Skipped rows',
    column: { row: 'Row', email: 'Email', reason: 'Reason' },
  },
  counts: {
    title: 'Most frequent events',
    lead: 'Counted over all time. Select an event to see when it happened and for which contacts.',
    contacts: (count: number, contacts: number) =>
      count === contacts ? pickPlural(contacts, CONTACTS) : `from ${sharedTexts.contacts(contacts)}`,
  },
  delete: {
    open: 'Delete events',
    title: (name: string) => `Delete all “${name}” events?`,
    action: 'Delete events',
    effect: (events: number, contacts: number) =>
      `This permanently deletes ${eventCount(events)} from ${sharedTexts.contacts(contacts)}.`,
    usedBy: (names: string[]) => `${formatList(names)} will no longer match these events.`,
    done: (events: number) => `${eventCount(events)} deleted.`,
  },
})
