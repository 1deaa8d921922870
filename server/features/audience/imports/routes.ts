/** Contact jobs over HTTP: import, bulk changes, export. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { CustomResponse, idOf, type Route, route } from '../../../platform/http/route.ts'
import { getContactJob, type Matching } from './actions.ts'
import { type BulkType, startBulkChange } from './bulk.ts'
import { exportContacts } from './export.ts'
import { IMPORT_BYTES_MAX, startImport } from './import.ts'
import {
  BulkChange,
  BulkJob,
  BulkSubscribe,
  ImportForm,
  ImportJob,
  QueuedImport,
  QueuedJob,
  readConfirmationsPerHour,
  readMapping,
} from './schemas.ts'

export const importRoutes = (matching: Matching): Route[] => [
  route({
    method: 'POST',
    path: '/contacts/import',
    client: 'contacts.import',
    access: 'project',
    tag: 'Contacts',
    summary: 'Import contacts from a CSV file',
    description:
      'New contacts are subscribed unless the file specifies otherwise. Existing contacts keep values that the file does not contain.\n\nThe import runs in the background. Get its progress and result from `GET /contacts/import/{jobId}`.',
    upload: { field: 'file', maxBytes: IMPORT_BYTES_MAX },
    body: ImportForm,
    replies: { 202: { description: 'Queued.', schema: QueuedImport } },
    handle: (ctx, { caller, file, facts }) =>
      startImport(
        ctx,
        caller.projectId,
        file.bytes,
        causeOf({ caller, facts }),
        readMapping(file.fields.mapping),
        readConfirmationsPerHour(file.fields.confirmationsPerHour),
      ),
  }),
  route({
    method: 'GET',
    path: '/contacts/import/{jobId}',
    client: 'contacts.getImport',
    access: 'project',
    tag: 'Contacts',
    summary: 'Get an import',
    params: { jobId: idOf('job') },
    replies: { 200: { description: 'The import job.', schema: ImportJob } },
    handle: (ctx, { caller, params }) =>
      getContactJob(ctx, { projectId: caller.projectId, jobId: params.jobId }, 'import'),
  }),
  bulkRoute(
    matching,
    'BULK_SUBSCRIBE',
    '/contacts/bulk-subscribe',
    'contacts.bulkSubscribe',
    'Subscribe contacts in bulk',
  ),
  bulkRoute(
    matching,
    'BULK_UNSUBSCRIBE',
    '/contacts/bulk-unsubscribe',
    'contacts.bulkUnsubscribe',
    'Unsubscribe contacts in bulk',
  ),
  bulkRoute(matching, 'BULK_DELETE', '/contacts/bulk-delete', 'contacts.bulkDelete', 'Delete contacts in bulk'),
  route({
    method: 'GET',
    path: '/contacts/bulk/{jobId}',
    client: 'contacts.getBulk',
    access: 'project',
    tag: 'Contacts',
    summary: 'Get a bulk job',
    params: { jobId: idOf('job') },
    replies: { 200: { description: 'The bulk job.', schema: BulkJob } },
    handle: (ctx, { caller, params }) =>
      getContactJob(ctx, { projectId: caller.projectId, jobId: params.jobId }, 'bulk'),
  }),
  route({
    method: 'GET',
    path: '/contacts/export',
    client: 'contacts.export',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'Export contacts',
    description:
      'A CSV file of all contacts, oldest first, with a column for each of the 2,000 most used fields. The file can be ' +
      'imported again.',
    replies: { 200: { description: 'A CSV file.', contentType: 'text/csv' } },
    handle: async (ctx, { caller }) =>
      new CustomResponse(200, await exportContacts(ctx, caller.projectId), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="contacts.csv"',
      }),
  }),
]

function bulkRoute(matching: Matching, type: BulkType, path: string, client: Route['client'], summary: string): Route {
  return route({
    method: 'POST',
    path,
    client,
    access: 'project',
    tag: 'Contacts',
    summary,
    description: 'The job runs in the background. Get its progress and result from `GET /contacts/bulk/{jobId}`.',
    body: type === 'BULK_SUBSCRIBE' ? BulkSubscribe : BulkChange,
    example: { contactIds: ['0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90'] },
    replies: { 202: { description: 'Queued.', schema: QueuedJob } },
    refusals: [400, 404],
    handle: (ctx, { caller, body, facts }) =>
      startBulkChange(ctx, matching, caller.projectId, type, body, causeOf({ caller, facts })),
  })
}
