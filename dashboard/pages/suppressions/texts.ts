/** Texts of the suppressions page. */
export const texts = {
  title: 'Suppressions',
  lead: 'These addresses never receive marketing email, even if the contact is deleted and imported again. Transactional email is still sent.',
  add: 'Suppress address',
  column: { email: 'Email', reason: 'Reason', added: 'Added' },
  reasons: { BOUNCE: 'Permanent bounce', COMPLAINT: 'Spam complaint', MANUAL: 'Added manually' },
  search: 'Search addresses',
  emptyTitle: 'No suppressed addresses',
  empty:
    'Addresses are suppressed automatically after a permanent bounce or a spam complaint, which protects your sender reputation. You can also suppress addresses manually.',
  noMatchTitle: 'No matching addresses',
  noMatch: 'Try a different search.',
  removeLabel: (email: string) => `Remove the suppression for ${email}`,
  removeTitle: 'Remove this suppression?',
  removeAction: 'Remove suppression',
  removeEffect: (email: string) =>
    `${email} can receive marketing email again if the contact is subscribed. Sending to addresses that bounce harms your sender reputation.`,
  removed: 'Suppression removed.',
  addDialog: {
    title: 'Suppress address',
    email: 'Email',
    submit: 'Suppress address',
    added: 'Address suppressed.',
  },
}
