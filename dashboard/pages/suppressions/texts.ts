/** Texts of the suppressions page. */

import { formatCount, formatNumber, pickPlural } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

export const texts = translated('suppressions', {
  title: 'Suppressions',
  lead: 'These addresses never receive marketing email, or none of a topic, even if the contact is deleted and imported again. Transactional email is still sent.',
  add: 'Suppress address',
  column: { email: 'Email', reason: 'Reason', topic: 'Topic', added: 'Added' },
  allTopics: 'All marketing email',
  reason: 'Reason',
  anyReason: 'All reasons',
  export: 'Export',
  import: 'Import',
  importDialog: {
    title: 'Import suppressions',
    lead: 'A CSV file with a column “email”, up to 5 MB. The columns “reason”, “topic” and “createdAt” are optional. Contacts stay as they are.',
    file: 'CSV file',
    submit: 'Import suppressions',
    close: 'Close',
    done: (added: number, existing: number) =>
      `${formatNumber(added)} added, ${formatNumber(existing)} already suppressed.`,
    failed: (count: number) =>
      pickPlural(count, { one: '1 row was skipped:', other: `${formatNumber(count)} rows were skipped:` }),
    row: (row: number, error: string) => `Row ${formatNumber(row)}: ${error}`,
  },
  reasons: { BOUNCE: 'Permanent bounce', COMPLAINT: 'Spam complaint', MANUAL: 'Added manually' },
  search: 'Search addresses',
  emptyTitle: 'No suppressed addresses',
  empty:
    'Addresses are suppressed automatically after a permanent bounce or a spam complaint, which protects your sender reputation. You can also suppress addresses manually.',
  noMatchTitle: 'No matching addresses',
  noMatch: 'Try a different search.',
  removeLabel: (email: string) => `Remove the suppression for ${email}`,
  removeTopicEffect: (email: string, topic: string) =>
    `${email} can receive marketing email of the topic “${topic}” again, if the contact is subscribed to it.`,
  removeTitle: 'Remove this suppression?',
  removeAction: 'Remove suppression',
  removeEffect: (email: string) =>
    `${email} can receive marketing email again if the contact is subscribed. Sending to addresses that bounce harms your sender reputation.`,
  removed: 'Suppression removed.',
  bulk: {
    label: 'Selected suppressions',
    selectPage: 'Select all suppressions on this page',
    select: (email: string) => `Select ${email}`,
    selected: (count: number) => `${formatCount(count, { one: 'suppression', other: 'suppressions' })} selected`,
    selectAll: (total: number) => `Select all ${formatNumber(total)}`,
    clear: 'Clear selection',
    remove: 'Remove',
    removeTitle: (count: number) => `Remove ${formatCount(count, { one: 'suppression', other: 'suppressions' })}?`,
    removeAction: (count: number) => `Remove ${formatCount(count, { one: 'suppression', other: 'suppressions' })}`,
    removeEffect:
      'These addresses can receive marketing email again if the contacts are subscribed. Sending to addresses that bounce or report spam harms your sender reputation.',
    done: (count: number) => `${formatCount(count, { one: 'suppression', other: 'suppressions' })} removed.`,
  },
  addDialog: {
    title: 'Suppress address',
    email: 'Email',
    topic: 'Topic',
    submit: 'Suppress address',
    added: 'Address suppressed.',
  },
})
