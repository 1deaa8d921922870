/** Texts of the page that imports contacts. */

import { formatNumber, pickPlural } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

export const texts = translated('imports', {
  contacts: 'Contacts',
  title: 'Import contacts',
  lead: 'The file needs a column with email addresses. Every other column can become a field. Existing contacts are updated.',
  choose: 'Choose a CSV file',
  dropHint: 'Or drop it here.',
  chooseHint: 'Column names in the first row, separated by commas, semicolons or tabs. Up to 5 MB.',
  example: 'Example',
  exampleLead: 'The column “subscribed” is optional. New contacts without it are subscribed.',
  chooseOther: 'Choose another file',
  sample: 'Download a sample file',
  tooLarge: 'The file is larger than 5 MB. Split it into smaller files.',
  notText: 'This is not a text file. Export the list as CSV and choose the exported file.',
  hasHeader: 'The first row contains the names of the columns',
  newContacts: {
    label: 'New contacts',
    choices: {
      subscribed: 'Will be subscribed',
      unsubscribed: 'Will not be subscribed',
      confirm: 'Get a confirmation email first',
    },
  },
  status: {
    title: (column: string) => `Does “${column}” say who is subscribed?`,
    lead: 'If it does and isn’t imported as the subscription, people who unsubscribed elsewhere receive your email again.',
    yes: 'Yes, import it as the subscription',
    no: 'No, it’s something else',
  },
  emptyFile: 'The file is empty. Choose a file with a header row and at least one contact.',
  start: 'Import contacts',
  converted: 'This file isn’t encoded as UTF-8. It will be converted before it is uploaded.',
  mapping: {
    title: 'Columns',
    lead: 'Choose how each column is imported. Empty cells leave existing values unchanged.',
    label: 'Columns of the file',
    column: { name: 'Column', samples: 'First values', field: 'Import as' },
    fieldOf: (column: string) => `Field for ${column}`,
    nameOf: (column: string) => `Field name for ${column}`,
    typeOf: (column: string) => `Type of ${column}`,
    choices: { '': 'Don’t import', email: 'Email address', subscribed: 'Subscription', data: 'Custom field' },
    place: (position: number) => `Column ${position}`,
    wordsOf: (column: string) => `What the values of ${column} mean`,
    word: (word: string) => `“${word}” means`,
    chooseMeaning: 'Choose…',
    subscribed: 'Subscribed',
    unsubscribed: 'Not subscribed',
    unclear: 'Choose what each value in the column of the subscription means.',
    namePlaceholder: 'Field name',
    types: { string: 'Text', number: 'Number', boolean: 'Yes/no', date: 'Date' },
    problems: {
      'no-email': 'Choose the column that contains the email addresses.',
      unnamed: (column: string) => `Enter a field name for the column “${column}”.`,
      twice: (column: string) =>
        `The column “${column}” is imported as the same field as another column. Choose a different field.`,
    },
  },
  effect: {
    title: 'Preview',
    label: 'Preview of the import',
    lead: (rows: number) =>
      pickPlural(rows, {
        one: 'What the import would do with the row of the file.',
        other: `What the import would do with the ${formatNumber(rows)} rows of the file.`,
      }),
    created: (count: number) => `${sharedTexts.contacts(count)} will be created.`,
    updated: (count: number) =>
      pickPlural(count, {
        one: '1 row will update an existing contact.',
        other: `${formatNumber(count)} rows will update existing contacts.`,
      }),
    unchanged: (count: number) =>
      pickPlural(count, {
        one: '1 row changes nothing.',
        other: `${formatNumber(count)} rows change nothing.`,
      }),
    failed: (count: number) =>
      pickPlural(count, { one: '1 row will be skipped.', other: `${formatNumber(count)} rows will be skipped.` }),
    leftOut: (count: number) =>
      pickPlural(count, {
        one: '1 value doesn’t match its type and will be left out.',
        other: `${formatNumber(count)} values don’t match their types and will be left out.`,
      }),
    problem: (row: number, problem: string) => `Row ${formatNumber(row)}: ${problem}`,
    dotted: (name: string) =>
      `“${name}” is stored as one name with a dot. In templates, use {{ data["${name}"] }}, because {{ ${name} }} doesn’t find it.`,
    valueOf: (name: string, value: string) => `${name}: ${value}`,
    outcomes: { created: 'New', updated: 'Update', unchanged: 'Unchanged', failed: 'Skipped' },
    result: 'Result',
  },
  confirmations: {
    title: 'Confirmation',
    lead: 'Use this if you can’t prove that the people in the file agreed to receive your email.',
    perHour: 'Emails per hour',
    rateProblem: (max: number) => `Enter a whole number from 1 to ${formatNumber(max)}.`,
    note: 'New contacts, and existing ones who aren’t subscribed, receive no marketing email until they confirm. Contacts who opted out or whose address is suppressed aren’t asked.',
    progress: 'Confirmation emails',
    rate: (perHour: number) =>
      `Each contact gets an email with a link that confirms the subscription, ${formatNumber(perHour)} in an hour.`,
    nobody: 'No contact of the file has to be asked.',
    running: 'Sending confirmation emails',
    completed: 'All contacts have been asked',
    asked: 'Asked',
    waiting: 'Waiting',
    skipped: 'Not asked',
    leave: 'You can leave this page: the emails are sent in the background.',
  },
  running: 'Importing contacts',
  completed: 'Import completed',
  failed: 'The import failed.',
  viewContacts: 'View contacts',
  another: 'Import another file',
  rows: 'Rows',
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  failures: 'Skipped',
  skippedTitle: 'Skipped rows',
  skippedLead: 'These rows were skipped. All other rows were imported.',
  skippedSome: (shown: number, total: number) =>
    `Showing the first ${formatNumber(shown)} of ${formatNumber(total)} skipped rows.`,
  leftOutTitle: 'Values that were left out',
  leftOutLead: (count: number) =>
    pickPlural(count, {
      one: '1 value doesn’t match the type of its column. The rest of its row was imported.',
      other: `${formatNumber(count)} values don’t match the types of their columns. The rest of their rows was imported.`,
    }),
  column: { row: 'Row', email: 'Email', reason: 'Reason' },
})
