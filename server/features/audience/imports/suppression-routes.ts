/** The import of suppressions over HTTP. */
import { route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { IMPORT_BYTES_MAX } from './import.ts'
import { SuppressionImport, SuppressionImportForm } from './schemas.ts'
import { importSuppressions } from './suppressions/import.ts'

export const suppressionImportRoutes = [
  route({
    method: 'POST',
    path: '/suppressions/import',
    client: 'suppressions.import',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Import suppressions from a CSV file',
    description:
      'Suppresses every address in the file that is not suppressed yet; contacts stay as they are. `reason` is BOUNCE, COMPLAINT or MANUAL (default); words of other services, such as `HardBounce` and `SpamComplaint`, are understood. Rows that are invalid are skipped and reported. If the request fails, nothing is imported.',
    upload: { field: 'file', maxBytes: IMPORT_BYTES_MAX },
    body: SuppressionImportForm,
    replies: { 200: { description: 'What was imported.', schema: SuppressionImport } },
    handle: (ctx, { caller, file, facts }) =>
      importSuppressions(ctx, caller.projectId, file.bytes, actorOf(caller, facts)),
  }),
]
