/** Texts of the template pages, and of the email fields that campaigns share. */
export const texts = {
  title: 'Templates',
  lead: 'Reusable emails, personalized for each contact.',
  create: 'Create template',
  column: { name: 'Name', type: 'Type', from: 'From', updated: 'Updated' },
  search: 'Search templates',
  type: 'Type',
  allTypes: 'All types',
  types: { MARKETING: 'Marketing', TRANSACTIONAL: 'Transactional', HEADLESS: 'Headless' },
  emptyTitle: 'No templates yet',
  empty:
    'A template contains the subject, body and sender of an email. Use it in API requests, campaigns and workflows.',
  noMatchTitle: 'No matching templates',
  noMatch: 'Try a different search or type.',
  actionsFor: (name: string) => `Actions for ${name}`,
  duplicated: 'Template duplicated.',
  deleted: 'Template deleted.',
  delete: { title: 'Delete this template?', action: 'Delete template' },
  deleteEffect:
    "API requests that use this template will fail. You can't delete a template that an unfinished campaign or a workflow uses.",
  editor: {
    title: 'Template',
    createTitle: 'Create template',
    save: 'Save template',
    saved: 'Template saved.',
    allSaved: 'Saved',
    test: 'Sends what you see here, including unsaved changes, as an email of its type. No contact is created, and the email isn’t counted.',
  },
  fields: {
    name: 'Name',
    namePlaceholder: 'Only visible to your team',
    type: 'Type',
    subject: 'Subject',
    from: 'From',
    fromPlaceholder: 'hello@your-domain.com',
    fromName: 'Sender name',
    replyTo: 'Reply-to',
    replyToPlaceholder: 'Same as From',
    typeHints: {
      MARKETING: 'Marketing emails are sent to subscribed contacts only and include an unsubscribe footer.',
      TRANSACTIONAL:
        'Transactional emails, such as receipts and password resets, are sent to every contact and have no footer.',
      HEADLESS: 'Headless emails have no footer. Add your own unsubscribe link with {{unsubscribeUrl}}.',
    },
  },
  preview: {
    label: 'Preview',
    contact: 'Preview as',
    subject: 'Subject',
    noSubject: '(no subject)',
    missing: 'Missing fields',
    frame: 'Email preview',
  },
  starterBody: {
    greeting: 'Hello {{name ?? "there"}}',
    text: 'Write your message here.',
  },
}
