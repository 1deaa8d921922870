/** Contacts, bulk changes, imports, contact fields, topics, forms, suppressions and uploads. */
import type { Call, Unchanged } from './call.ts'
import { everyItem } from './pages.ts'
import type { Body, Item, Query } from './shapes.ts'

export const fileForm = (
  name: string,
  file: Blob | string,
  filename: string,
  fields: Record<string, string> = {},
): FormData => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append(name, typeof file === 'string' ? new Blob([file], { type: 'text/csv' }) : file, filename)
  return form
}

/** What a column of an imported file becomes. */
export interface ColumnMapping {
  /** Its name in the header; or else `position`. */
  column?: string
  /** Its place, from 1. Columns by position can have the same name. */
  position?: number
  /** `email`, `subscribed`, `topic:<key>` or `data.<name>`. */
  field: string
  type?: 'string' | 'number' | 'boolean' | 'date'
  /** The decimal sign of numbers; the other sign then separates thousands. */
  decimal?: ',' | '.'
  /** What the words of the column mean for the subscription or the topic: `{ active: true, unsubscribed: false }`. */
  values?: Record<string, boolean>
}

export interface ImportOptions {
  /** False if the first row is a contact. The mapping then has positions. */
  header?: boolean
  /** False creates new contacts without subscribing them, unless their row says otherwise. */
  subscribeNew?: boolean
  /** Contacts are asked to confirm their subscription by email, this many in an hour, instead of being subscribed. */
  confirmationsPerHour?: number
}

const importForm = (
  csv: Blob | string,
  filename: string,
  mapping: ColumnMapping[] | undefined,
  { confirmationsPerHour, header, subscribeNew }: ImportOptions,
): FormData =>
  fileForm('file', csv, filename, {
    ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
    ...(confirmationsPerHour ? { confirmationsPerHour: String(confirmationsPerHour) } : {}),
    ...(header === undefined ? {} : { header: String(header) }),
    ...(subscribeNew === undefined ? {} : { subscribeNew: String(subscribeNew) }),
  })

export type BulkContacts = string[] | Pick<Body<'POST /contacts/bulk-delete'>, 'condition'>

const selectionOf = (contacts: BulkContacts) => (Array.isArray(contacts) ? { contactIds: contacts } : contacts)

export const contacts = (call: Call) => ({
  /** One page, newest first. */
  list: (query?: Query<'GET /contacts'>) => call('GET /contacts', { query }),
  /** Iterates over all contacts, page by page. */
  all: (query?: Query<'GET /contacts'>) =>
    everyItem<Item<'GET /contacts'>>((cursor) => call('GET /contacts', { query: { limit: 100, ...query, cursor } })),
  /** Creates a contact, or updates the contact with this address. */
  upsert: (contact: Body<'POST /contacts'>) => call('POST /contacts', { body: contact, repeatable: true }),
  /** Writes contacts of another service. Nobody who opted out, there or here, is subscribed. */
  transfer: (batch: Body<'POST /contacts/transfer'>) =>
    call('POST /contacts/transfer', { body: batch, repeatable: true }),
  get: (id: string) => call('GET /contacts/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /contacts/{id}'>, condition?: Unchanged) =>
    call('PATCH /contacts/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /contacts/{id}', { path: { id } }),
  /** Returns which addresses belong to contacts. */
  lookup: (emails: string[]) => call('POST /contacts/lookup', { body: { emails }, repeatable: true }),
  /** The segments that contain the contact. */
  segments: (id: string) => call('GET /contacts/{id}/segments', { path: { id } }),
  /** What the contact chose to receive. */
  topics: (id: string) => call('GET /contacts/{id}/topics', { path: { id } }),
  /** Changes only the topics that it names: `{ 'product-news': false }`. */
  setTopics: (id: string, topics: Body<'PUT /contacts/{id}/topics'>['topics']) =>
    call('PUT /contacts/{id}/topics', { path: { id }, body: { topics } }),
  timeline: (id: string, query?: Query<'GET /contacts/{id}/timeline'>) =>
    call('GET /contacts/{id}/timeline', { path: { id }, query }),
  /** Every change of the subscription and of topics with its cause, newest first. */
  listConsents: (id: string, query?: Query<'GET /contacts/{id}/consents'>) =>
    call('GET /contacts/{id}/consents', { path: { id }, query }),
  /** Sends the confirmation email of double opt-in. */
  requestConfirmation: (id: string) => call('POST /contacts/{id}/confirmation', { path: { id } }),
  /** How many contacts a sunset rule would stop now. */
  previewSunset: (rule: Query<'GET /contacts/sunset-preview'>) => call('GET /contacts/sunset-preview', { query: rule }),
  /** Whether the sunset rule of the project stops marketing email to the contact. */
  sunset: (id: string) => call('GET /contacts/{id}/sunset', { path: { id } }),
  /** Sends marketing email to a contact again that the sunset rule stopped. */
  resetSunset: (id: string) => call('POST /contacts/{id}/sunset/reset', { path: { id } }),
  /** Everything that is stored about a person. */
  exportPerson: (id: string) => call('GET /contacts/{id}/export', { path: { id } }),
  /** The consents of all contacts as CSV text, or as a JSON array in text. */
  exportConsents: (query?: Query<'GET /contacts/consents/export'>) =>
    call('GET /contacts/consents/export', { query, as: 'text' }),
  /** When the person with this address objected to email, if the contact has been deleted since. */
  findObjection: (email: string) => call('POST /contacts/objections/lookup', { body: { email }, repeatable: true }),

  /** Imports a CSV file in the background. Poll `getImport` with the `jobId`. */
  import: (csv: Blob | string, filename = 'contacts.csv', mapping?: ColumnMapping[], options: ImportOptions = {}) =>
    call('POST /contacts/import', { form: importForm(csv, filename, mapping, options) }),
  /** What an import would do, with the same arguments. Writes nothing. */
  previewImport: (
    csv: Blob | string,
    filename = 'contacts.csv',
    mapping?: ColumnMapping[],
    options: ImportOptions = {},
  ) => call('POST /contacts/import/preview', { form: importForm(csv, filename, mapping, options) }),
  getImport: (jobId: string) => call('GET /contacts/import/{jobId}', { path: { jobId } }),
  /** All contacts as CSV text. */
  export: () => call('GET /contacts/export', { as: 'text' }),

  /** The contacts with these IDs, or all that match a condition. With `keepSuppression`, suppressed addresses stay suppressed. */
  bulkSubscribe: (contacts: BulkContacts, options: { keepSuppression?: boolean } = {}) =>
    call('POST /contacts/bulk-subscribe', { body: { ...selectionOf(contacts), ...options } }),
  bulkUnsubscribe: (contacts: BulkContacts) => call('POST /contacts/bulk-unsubscribe', { body: selectionOf(contacts) }),
  bulkDelete: (contacts: BulkContacts) => call('POST /contacts/bulk-delete', { body: selectionOf(contacts) }),
  bulkAddToSegment: (contacts: BulkContacts, segmentId: string) =>
    call('POST /contacts/bulk-add-to-segment', { body: { ...selectionOf(contacts), segmentId } }),
  bulkTopics: (contacts: BulkContacts, topics: Record<string, boolean>) =>
    call('POST /contacts/bulk-topics', { body: { ...selectionOf(contacts), topics } }),
  bulkStartWorkflow: (contacts: BulkContacts, workflowId: string) =>
    call('POST /contacts/bulk-start-workflow', { body: { ...selectionOf(contacts), workflowId } }),
  getBulk: (jobId: string) => call('GET /contacts/bulk/{jobId}', { path: { jobId } }),

  fields: {
    list: () => call('GET /contacts/fields'),
    values: (field: string, query?: Query<'GET /contacts/fields/{field}/values'>) =>
      call('GET /contacts/fields/{field}/values', { path: { field }, query }),
    usage: (field: string) => call('GET /contacts/fields/{field}/usage', { path: { field } }),
    delete: (field: string) => call('DELETE /contacts/fields/{field}', { path: { field } }),
  },
})

export const topics = (call: Call) => ({
  list: (query?: Query<'GET /topics'>) => call('GET /topics', { query }),
  create: (topic: Body<'POST /topics'>) => call('POST /topics', { body: topic }),
  get: (id: string) => call('GET /topics/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /topics/{id}'>) =>
    call('PATCH /topics/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /topics/{id}', { path: { id } }),
})

export const forms = (call: Call) => ({
  /** One page, newest first. */
  list: (query?: Query<'GET /forms'>) => call('GET /forms', { query }),
  all: (query?: Query<'GET /forms'>) =>
    everyItem<Item<'GET /forms'>>((cursor) => call('GET /forms', { query: { limit: 100, ...query, cursor } })),
  create: (form: Body<'POST /forms'>) => call('POST /forms', { body: form }),
  get: (id: string) => call('GET /forms/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /forms/{id}'>) =>
    call('PATCH /forms/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /forms/{id}', { path: { id } }),
  /** The page of a form that isn't saved. */
  preview: (form: Body<'POST /forms/preview'>) => call('POST /forms/preview', { body: form, repeatable: true }),
  /** The form as plain HTML. */
  html: (id: string) => call('GET /forms/{id}/html', { path: { id } }),
  /** How often it was shown, submitted and confirmed, by day. */
  stats: (id: string, query?: Query<'GET /forms/{id}/stats'>) => call('GET /forms/{id}/stats', { path: { id }, query }),
  /** Submissions that were refused as spam. */
  spam: (id: string, query?: Query<'GET /forms/{id}/spam'>) => call('GET /forms/{id}/spam', { path: { id }, query }),
})

export const suppressions = (call: Call) => ({
  list: (query?: Query<'GET /suppressions'>) => call('GET /suppressions', { query }),
  all: (query?: Query<'GET /suppressions'>) =>
    everyItem<Item<'GET /suppressions'>>((cursor) =>
      call('GET /suppressions', { query: { limit: 100, ...query, cursor } }),
    ),
  create: (suppression: Body<'POST /suppressions'>) =>
    call('POST /suppressions', { body: suppression, repeatable: true }),
  /** Removes those with these IDs, or those that match a filter, at most 10,000 at once. */
  deleteMany: (choice: Body<'POST /suppressions/delete'>) =>
    call('POST /suppressions/delete', { body: choice, repeatable: true }),
  /** Removes the suppression of an address; with the key of a topic, that of the topic. */
  delete: (email: string, query?: Query<'DELETE /suppressions/{email}'>) =>
    call('DELETE /suppressions/{email}', { path: { email }, query }),
  /** Suppresses the addresses of a CSV file. */
  import: (csv: Blob | string, filename = 'suppressions.csv') =>
    call('POST /suppressions/import', { form: fileForm('file', csv, filename) }),
  /** All suppressions as CSV text. */
  export: () => call('GET /suppressions/export', { as: 'text' }),
})

export const uploads = (call: Call) => ({
  /** The images of the project, newest first. */
  list: (query?: Query<'GET /uploads/images'>) => call('GET /uploads/images', { query }),
  image: (image: Blob, filename = 'image', details: Partial<Record<'name' | 'folder' | 'alt', string>> = {}) =>
    call('POST /uploads/image', { form: fileForm('image', image, filename, details) }),
  folders: () => call('GET /uploads/folders'),
  /** With what uses it. */
  get: (id: string) => call('GET /uploads/images/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /uploads/images/{id}'>) =>
    call('PATCH /uploads/images/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /uploads/images/{id}', { path: { id } }),
})
