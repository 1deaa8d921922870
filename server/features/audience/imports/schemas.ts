/** Request and response schemas of imports, bulk changes and export. */
import { z } from 'zod'
import { conditionTree } from '../../../kernel/conditions/condition-schema.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { keepSuppression } from '../contacts/schemas.ts'
import { topicsField } from '../contacts/topics.ts'
import type { ImportOptions } from './import.ts'
import { CELL_TYPES, type ColumnMapping } from './layout.ts'
import { TARGETED_TYPES } from './queries.ts'

export const ImportForm = z.object({
  file: z.file().meta({
    description:
      'A CSV file in UTF-8, at most 5 MB, separated by commas, semicolons or tabs. The first row contains the column names. `email` is required; `subscribed` and `topic:<key>` accept true, 1, yes, false, 0 or no; every other column becomes a field of `data`.',
  }),
  mapping: z.string().optional().meta({
    description:
      'A JSON array that maps columns to fields, for example `[{"column": "E-mail", "field": "email"}, {"column": "Age", "field": "data.age", "type": "number"}]`. `field` is `email` (required), `subscribed`, `topic:<key>` or `data.<name>`; `type` is `string` (default), `number`, `boolean` or `date`. Instead of `column`, `position` names a column by its place, from 1, so that columns can have the same name or none. `decimal`, `,` or `.`, is the decimal sign of numbers. `values` says what the words of a column mean for `subscribed` or `topic:<key>`, for example `{"active": true, "unsubscribed": false}`; rows with other words fail. Columns that are not in the mapping are ignored. Without a mapping, columns keep their names in lower case and values are strings.',
  }),
  header: z.enum(['true', 'false']).optional().meta({
    description:
      '`false` if the first row is a contact and not the names of the columns. The mapping then names columns by `position`.',
  }),
  subscribeNew: z.enum(['true', 'false']).optional().meta({
    description: '`false` creates new contacts without subscribing them, unless their row has `subscribed`.',
  }),
  confirmationsPerHour: z.string().optional().meta({
    description:
      'A whole number from 1 to 36,000. The import subscribes nobody: new contacts, and existing ones who are not subscribed, become pending and get the confirmation email of double opt-in, this many in an hour. Rows with `subscribed` false are not asked, nor are contacts who opted out or whose address is suppressed.',
  }),
})

const CONFIRMATIONS_MAX = 36_000

/** The fields of the form, without the file. */
export const readImportForm = (fields: Record<string, string>): ImportOptions => ({
  mapping: readMapping(fields.mapping),
  hasHeader: readFlag('header', fields.header),
  subscribeNew: readFlag('subscribeNew', fields.subscribeNew),
  confirmationsPerHour: readConfirmationsPerHour(fields.confirmationsPerHour),
})

function readFlag(field: string, text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'true') return true
  if (text === 'false') return false
  throw invalidField(field, 'Must be true or false.')
}

/** The rate in a field of the form. */
function readConfirmationsPerHour(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const perHour = Number(text)
  if (/^\d{1,5}$/.test(text) && perHour >= 1 && perHour <= CONFIRMATIONS_MAX) return perHour
  throw invalidField('confirmationsPerHour', 'Must be a whole number from 1 to 36,000. Leave it out to send none.')
}

const MAPPING_MAX = 1_000
const FIELD_MAX = 255
const VALUES_MAX = 100

const inLowerCase = (values: Record<string, boolean>) =>
  Object.fromEntries(Object.entries(values).map(([word, means]) => [word.trim().toLowerCase(), means]))

const Mapping = z
  .array(
    z.object({
      column: z
        .string()
        .transform((name) => name.trim().toLowerCase())
        .optional(),
      position: z.int().min(1).max(MAPPING_MAX).optional(),
      field: z
        .string()
        .max('data.'.length + FIELD_MAX)
        .refine((field) => field === 'email' || field === 'subscribed' || /^(data\.|topic:).+/.test(field), {
          error: 'Must be email, subscribed, topic:<key> or data.<name>.',
        }),
      type: z.enum(CELL_TYPES).default('string'),
      decimal: z.enum([',', '.']).optional(),
      values: z
        .record(z.string().max(FIELD_MAX), z.boolean())
        .refine((values) => Object.keys(values).length <= VALUES_MAX, {
          error: `Must have at most ${VALUES_MAX} words.`,
        })
        .transform(inLowerCase)
        .optional(),
    }),
  )
  .max(MAPPING_MAX)

/** The mapping in a field of the form. Every column and every field occurs once. */
function readMapping(text: string | undefined): ColumnMapping | undefined {
  if (text === undefined || text === '') return undefined
  const { data, error } = Mapping.safeParse(parseJson(text))
  if (error) throw refused(`${error.issues[0]!.path.join('.') || 'It'}: ${error.issues[0]!.message}`)
  if (!data.some(({ field }) => field === 'email')) throw refused('One column must have the field "email".')
  const byPosition = data.some(({ position }) => position !== undefined)
  const key = byPosition ? 'position' : 'column'
  if (!data.every((one) => one[key] !== undefined && one[byPosition ? 'column' : 'position'] === undefined)) {
    throw refused('Name every column by `column`, or every column by `position`.')
  }
  for (const unique of [key, 'field'] as const) {
    const values = data.map((one) => one[unique])
    const twice = values.find((value, i) => values.indexOf(value) !== i)
    if (twice !== undefined) throw refused(`The ${unique} "${twice}" appears more than once.`)
  }
  return data
}

const refused = (reason: string) => invalidField('mapping', `The mapping is invalid. ${reason}`)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('It must be a JSON array.')
  }
}

const bulkChange = z.object({
  contactIds: z
    .array(
      z
        .guid()
        .transform((id) => id.toLowerCase())
        .meta({ type: 'string', format: 'uuid' }),
    )
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'The contacts to change. Send either this or `condition`.' }),
  condition: conditionTree
    .optional()
    .meta({ description: 'Change all contacts that match. Contacts created after the job are not changed.' }),
})

/** A request with both or neither is about the list, which is required. */
const eitherOne = (change: { contactIds?: unknown; condition?: unknown }, ctx: z.RefinementCtx) => {
  if ((change.contactIds === undefined) !== (change.condition === undefined)) return
  const message = 'Send either `contactIds` or `condition`.'
  ctx.addIssue({ code: 'custom', path: ['contactIds'], message, params: { code: 'invalid_type' } })
}

export const BulkChange = bulkChange.superRefine(eitherOne)

export const BulkSubscribe = bulkChange.extend({ keepSuppression }).superRefine(eitherOne)

export const BulkAddToSegment = bulkChange
  .extend({ segmentId: z.guid('Must be a segment ID.').meta({ description: 'A STATIC segment.' }) })
  .superRefine(eitherOne)

export const BulkTopics = bulkChange
  .extend({
    topics: topicsField.refine((topics) => Object.keys(topics).length > 0, 'Must have at least one topic.'),
  })
  .superRefine(eitherOne)

export const BulkStart = bulkChange
  .extend({ workflowId: z.guid('Must be a workflow ID.').meta({ description: 'An enabled workflow.' }) })
  .superRefine(eitherOne)

export const QueuedImport = z
  .object({
    jobId: z.uuid(),
    warnings: z.array(z.string()).meta({
      description:
        'Columns that look like the state of a subscription but are not imported as `subscribed`, so that contacts who unsubscribed elsewhere would be subscribed.',
    }),
  })
  .meta({ id: 'QueuedImport' })

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

const rowProblems = z.array(z.object({ row: z.int(), email: z.string().nullable(), error: z.string() }))

const importResult = z.object({
  totalRows: count,
  createdCount: count,
  updatedCount: count,
  unchangedCount: count,
  failureCount: count,
  errors: rowProblems.meta({ description: 'The first 100 errors. Row 1 is the header.' }),
  warningCount: count.optional().meta({
    description: 'Cells that are not of the type of their column and were left out. Absent if there are none.',
  }),
  warnings: rowProblems
    .optional()
    .meta({ description: 'The first 100 cells that were left out. Their rows were imported.' }),
})

export const ImportPreview = z
  .object({
    result: importResult.meta({ description: 'What the import would report now.' }),
    rows: z
      .array(
        z.object({
          row: z.int(),
          email: z.string().nullable(),
          outcome: z.enum(['created', 'updated', 'unchanged', 'failed']),
          subscribed: z
            .boolean()
            .nullable()
            .meta({ description: 'Whether the contact would be subscribed after the row.' }),
          data: z.record(z.string(), z.unknown()).meta({ description: 'The fields that the row would set.' }),
        }),
      )
      .meta({ description: 'The first ten rows.' }),
    warnings: QueuedImport.shape.warnings,
  })
  .meta({ id: 'ImportPreview' })

export const ImportJob = z
  .object({
    ...job,
    type: z.literal('IMPORT'),
    result: importResult.nullable().meta({ description: 'Updated while the job runs.' }),
    confirmations: z
      .object({
        perHour: z.int().meta({ description: 'How many confirmation emails are sent in an hour.' }),
        total: count.meta({ description: 'Contacts of the file who are to be asked.' }),
        sent: count.meta({ description: 'Contacts who have been asked.' }),
        skipped: count.meta({
          description:
            'Contacts who were not asked when it was their turn, because they had subscribed, opted out, been deleted or just been asked.',
        }),
        waiting: count.meta({ description: 'Contacts who have not been asked yet.' }),
      })
      .nullable()
      .meta({
        description:
          'The confirmation emails of an import with `confirmationsPerHour`, which continue after it is completed. Otherwise null.',
      }),
  })
  .meta({ id: 'ImportJob' })

export const BulkJob = z
  .object({
    ...job,
    type: z.enum(['BULK_SUBSCRIBE', 'BULK_UNSUBSCRIBE', 'BULK_DELETE', ...TARGETED_TYPES]),
    result: z
      .object({
        totalRequested: count,
        successCount: count,
        unchangedCount: count.meta({
          description:
            "Contacts that already had the requested state, can't enter the workflow, or were listed more than once.",
        }),
        failureCount: count,
        errors: z.array(z.object({ contactId: z.guid(), error: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: 'BulkJob' })

export const SuppressionImportForm = z.object({
  file: z.file().meta({
    description:
      'A CSV file in UTF-8, at most 5 MB, separated by commas, semicolons or tabs. The first row contains the column names. `email` is required; `reason`, `topic` (a key) and `createdAt` are optional, other columns are ignored.',
  }),
})

export const SuppressionImport = z
  .object({
    totalRows: count,
    addedCount: count,
    existingCount: count.meta({ description: 'Suppressions that existed, or were in the file more than once.' }),
    failureCount: count,
    errors: z
      .array(z.object({ row: z.int(), email: z.string().nullable(), error: z.string() }))
      .meta({ description: 'The first 100 rows that were skipped. Row 1 is the header.' }),
  })
  .meta({ id: 'SuppressionImport' })
