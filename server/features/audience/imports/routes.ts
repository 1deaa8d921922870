/** Contact jobs over HTTP: import, bulk changes, export. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { CustomResponse, idOf, type Route, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { getContactJob } from './actions.ts'
import { type BulkTools, type BulkType, startBulkChange } from './bulk.ts'
import { exportContacts } from './export.ts'
import { IMPORT_BYTES_MAX, startImport } from './import.ts'
import { previewImport } from './preview.ts'
import {
  BulkAddToSegment,
  BulkChange,
  BulkJob,
  BulkStart,
  BulkSubscribe,
  BulkTopics,
  ImportForm,
  ImportJob,
  ImportPreview,
  QueuedImport,
  QueuedJob,
  readImportForm,
} from './schemas.ts'

const EXAMPLE_IDS = ['0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90']

const BULK = {
  method: 'POST',
  access: 'project',
  tag: 'Contacts',
  description: 'The job runs in the background. Get its progress and result from `GET /contacts/bulk/{jobId}`.',
  replies: { 202: { description: 'Queued.', schema: QueuedJob } },
  refusals: [400, 404, 409] as number[],
} as const

export const importRoutes = (tools: BulkTools): Route[] => [
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
      startImport(ctx, caller.projectId, file.bytes, causeOf({ caller, facts }), readImportForm(file.fields)),
  }),
  route({
    method: 'POST',
    path: '/contacts/import/preview',
    client: 'contacts.previewImport',
    access: 'project',
    tag: 'Contacts',
    summary: 'Preview an import',
    description:
      'What an import of the file would create, update, leave unchanged and refuse, with the same form. Nothing is written.',
    upload: { field: 'file', maxBytes: IMPORT_BYTES_MAX },
    body: ImportForm,
    readOnly: true,
    expensive: true,
    replies: { 200: { description: 'What would change.', schema: ImportPreview } },
    handle: (ctx, { caller, file }) => previewImport(ctx, caller.projectId, file.bytes, readImportForm(file.fields)),
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
    tools,
    'BULK_SUBSCRIBE',
    '/contacts/bulk-subscribe',
    'contacts.bulkSubscribe',
    'Subscribe contacts in bulk',
  ),
  bulkRoute(
    tools,
    'BULK_UNSUBSCRIBE',
    '/contacts/bulk-unsubscribe',
    'contacts.bulkUnsubscribe',
    'Unsubscribe contacts in bulk',
  ),
  bulkRoute(tools, 'BULK_DELETE', '/contacts/bulk-delete', 'contacts.bulkDelete', 'Delete contacts in bulk'),
  route({
    ...BULK,
    path: '/contacts/bulk-add-to-segment',
    client: 'contacts.bulkAddToSegment',
    scope: 'segments:write',
    summary: 'Add contacts to a segment in bulk',
    body: BulkAddToSegment,
    strict: true,
    example: { contactIds: EXAMPLE_IDS, segmentId: '0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90' },
    handle: (ctx, { caller, body: { segmentId, ...selection }, facts }) => {
      const change = { ...selection, target: { segmentId } }
      return startBulkChange(
        ctx,
        tools,
        caller.projectId,
        'BULK_ADD_TO_SEGMENT',
        change,
        causeOf({ caller, facts }),
        actorOf(caller, facts),
      )
    },
  }),
  route({
    ...BULK,
    path: '/contacts/bulk-topics',
    client: 'contacts.bulkTopics',
    summary: 'Change topics of contacts in bulk',
    body: BulkTopics,
    strict: true,
    example: { contactIds: EXAMPLE_IDS, topics: { events: true } },
    handle: (ctx, { caller, body: { topics, ...selection }, facts }) => {
      const change = { ...selection, target: { topics } }
      return startBulkChange(
        ctx,
        tools,
        caller.projectId,
        'BULK_SET_TOPICS',
        change,
        causeOf({ caller, facts }),
        actorOf(caller, facts),
      )
    },
  }),
  route({
    ...BULK,
    path: '/contacts/bulk-start-workflow',
    client: 'contacts.bulkStartWorkflow',
    scope: 'workflows:write',
    summary: 'Start a workflow for contacts in bulk',
    body: BulkStart,
    strict: true,
    example: { contactIds: EXAMPLE_IDS, workflowId: '0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90' },
    handle: (ctx, { caller, body: { workflowId, ...selection }, facts }) => {
      const change = { ...selection, target: { workflowId } }
      return startBulkChange(
        ctx,
        tools,
        caller.projectId,
        'BULK_START_WORKFLOW',
        change,
        causeOf({ caller, facts }),
        actorOf(caller, facts),
      )
    },
  }),
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

function bulkRoute(tools: BulkTools, type: BulkType, path: string, client: Route['client'], summary: string): Route {
  return route({
    ...BULK,
    path,
    client,
    summary,
    body: type === 'BULK_SUBSCRIBE' ? BulkSubscribe : BulkChange,
    example: { contactIds: EXAMPLE_IDS },
    handle: (ctx, { caller, body, facts }) =>
      startBulkChange(ctx, tools, caller.projectId, type, body, causeOf({ caller, facts }), actorOf(caller, facts)),
  })
}
