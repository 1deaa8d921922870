/** Texts of the segment pages. */

import { formatCount, formatNumber, pickPlural } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

const types = { DYNAMIC: 'Dynamic', STATIC: 'Static' }

export const texts = translated('segments', {
  title: 'Segments',
  lead: 'Group contacts by conditions, or pick them one by one. Use segments as campaign audiences.',
  create: 'Create segment',
  column: { name: 'Name', type: 'Type', contacts: 'Contacts', share: 'Share', updated: 'Updated' },
  types,
  tracked: 'Records entry and exit',
  search: 'Search segments',
  noMatchTitle: 'No matching segments',
  noMatch: 'Try a different search.',
  emptyTitle: 'No segments yet',
  empty:
    'A segment is a group of contacts, for example subscribers on the pro plan. Dynamic segments update automatically. Use segments as campaign audiences and to start workflows.',
  one: {
    title: 'Segment',
    contacts: 'Contacts',
    edit: 'Edit segment',
    recalculate: 'Recalculate now',
    recalculated: (entered: number, left: number) =>
      `Segment recalculated: ${formatNumber(entered)} entered, ${formatNumber(left)} left.`,
    createCampaign: 'Create campaign',
    deleted: 'Segment deleted.',
    delete: { title: 'Delete this segment?', action: 'Delete segment' },
    deleteEffect: (contacts: number) =>
      `This deletes the segment but keeps its ${sharedTexts.contacts(contacts)}. A segment used by a scheduled or sending campaign can’t be deleted.`,
    members: {
      lead: 'Contacts that currently match:',
      label: 'Contacts in this segment',
      column: { email: 'Email', name: 'Name', status: 'Status', added: 'Contact added' },
      remove: (email: string) => `Remove ${email}`,
      removed: (email: string) => `${email} removed from the segment.`,
      emptyTitle: 'No contacts',
      emptyStatic: 'Add contacts by email address.',
      emptyDynamic: 'No contacts match the condition.',
    },
  },
  share: (share: string) => `${share} of all contacts`,
  size: {
    title: 'Size over time',
    lead: 'Recorded once a day.',
    range: 'Period',
    ranges: { '30': 'Last 30 days', '90': 'Last 90 days', '365': 'Last 365 days' },
    showTable: 'Show as table',
    showChart: 'Show as chart',
    day: 'Day',
    contacts: 'Contacts',
    share: 'Share of all contacts',
    empty: 'The chart shows how the segment grows. It appears when sizes of two days are recorded.',
  },
  addMembers: {
    title: 'Add contacts',
    lead: 'Add up to 500 contacts at a time.',
    addresses: 'Email addresses',
    addressesHint: 'Separate addresses with commas or line breaks.',
    createMissing: 'Create contacts for addresses that don’t exist yet',
    notFound: (count: number) =>
      pickPlural(count, {
        one: 'This address isn’t a contact yet, so it wasn’t added.',
        other: 'These addresses aren’t contacts yet, so they weren’t added.',
      }),
    submit: (count: number) => (count === 0 ? 'Add contacts' : `Add ${sharedTexts.contacts(count)}`),
    added: (added: number, created: number) =>
      created > 0
        ? `${sharedTexts.contacts(added)} added, including ${formatCount(created, { one: 'new contact', other: 'new contacts' })}.`
        : `${sharedTexts.contacts(added)} added.`,
  },
  editor: {
    createTitle: 'Create segment',
    editTitle: 'Edit segment',
    save: 'Save segment',
    saved: 'Segment saved.',
    name: 'Name',
    type: 'Type',
    types: {
      DYNAMIC: { title: types.DYNAMIC, hint: 'Contacts that match a condition. Updates automatically.' },
      STATIC: { title: types.STATIC, hint: 'Contacts that you add and remove yourself.' },
    },
    description: 'Description',
    trackMembership: 'Record an event when a contact enters or leaves',
    trackMembershipHint: 'Workflows can start with these events, and each contact’s timeline shows them.',
    namePlaceholder: 'Customers on the pro plan',
    condition: 'Condition',
    staticHint: 'Save the segment, then add contacts by email address.',
  },
  preview: {
    label: 'Matching contacts',
    incomplete: 'Complete every filter to see matching contacts.',
    matching: (count: number) => pickPlural(count, { one: 'contact matches now', other: 'contacts match now' }),
    notSubscribed: 'Not subscribed',
    more: (count: number) => `and ${formatNumber(count)} more`,
  },
})
