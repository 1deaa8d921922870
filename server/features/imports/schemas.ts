/** Request and response schemas of imports, bulk changes and export. */
import { z } from 'zod'
import { keepSuppression } from '../contacts/schemas.ts'

export const ImportForm = z.object({
  file: z.file().meta({
    description:
      'A CSV file in UTF-8, at most 5 MB, separated by commas, semicolons or tabs. The first row contains the column names. `email` is required; `subscribed` accepts true, 1, yes, false, 0 or no; every other column becomes a field of `data`.',
  }),
})

export const BulkChange = z.object({
  contactIds: z
    .array(
      z
        .guid()
        .transform((id) => id.toLowerCase())
        .meta({ type: 'string', format: 'uuid' }),
    )
    .min(1)
    .max(1_000),
})

export const BulkSubscribe = BulkChange.extend({ keepSuppression })

export const QueuedJob = z.object({ jobId: z.uuid() }).meta({ id: 'QueuedJob' })

const count = z.int().min(0)

const job = {
  id: z.uuid(),
  status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
  progress: z.int().min(0).max(100).meta({ description: 'Progress in percent.' }),
  error: z.string().nullable().meta({ description: 'Why the job failed.' }),
  createdAt: z.date(),
  updatedAt: z.date(),
}

export const ImportJob = z
  .object({
    ...job,
    type: z.literal('IMPORT'),
    result: z
      .object({
        totalRows: count,
        createdCount: count,
        updatedCount: count,
        unchangedCount: count,
        failureCount: count,
        errors: z
          .array(z.object({ row: z.int(), email: z.string().nullable(), error: z.string() }))
          .meta({ description: 'The first 100 errors. Row 1 is the header.' }),
      })
      .nullable()
      .meta({ description: 'Updated while the job runs.' }),
  })
  .meta({ id: 'ImportJob' })

export const BulkJob = z
  .object({
    ...job,
    type: z.enum(['BULK_SUBSCRIBE', 'BULK_UNSUBSCRIBE', 'BULK_DELETE']),
    result: z
      .object({
        totalRequested: count,
        successCount: count,
        unchangedCount: count.meta({
          description: 'Contacts that already had the requested state, or were listed more than once.',
        }),
        failureCount: count,
        errors: z.array(z.object({ contactId: z.guid(), error: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: 'BulkJob' })
