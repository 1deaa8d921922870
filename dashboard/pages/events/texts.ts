/** Texts of the events page. */
import { formatCount, formatList } from '../../parts/format.ts'
import { sharedTexts } from '../../parts/texts.ts'

const eventCount = (count: number) => formatCount(count, { one: 'event', other: 'events' })

export const texts = {
  title: 'Events',
  lead: 'Track what your users do. Events start workflows and can be used in segment conditions.',
  column: { event: 'Event', contact: 'Contact', data: 'Data', date: 'Date' },
  name: 'Event name',
  allEvents: 'All events',
  emptyTitle: 'No events yet',
  empty:
    'Events record what your users do, so you can start workflows and build segments from them. Track your first event with your public key:',
  noMatchTitle: 'No matching events',
  example: 'curl example for tracking an event',
  counts: {
    title: 'Most frequent events',
    lead: 'The events you track come first, followed by email events. Select an event to see when it happened and for which contacts.',
    contacts: (count: number) => `from ${sharedTexts.contacts(count)}`,
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
}
