/**
 * Imports events of the past, so that a project that moves in has charts and segments at once. They start no workflows,
 * call no webhooks and change no contacts. Each event gets an id from its content, so a file can be imported again.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { deriveId, firstIdAt } from '../../../kernel/ids.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { insertPastEvents } from './history-queries.ts'
import { type EventRowError, type PastEvent, type PropertyTypes, propertyTypes, readHistory } from './history-rows.ts'

export const HISTORY_BYTES_MAX = 5 * 1024 * 1024
const ERRORS_LISTED_MAX = 100

export const HistoryForm = z.object({
  file: z.file().meta({
    description:
      'JSON Lines, with `email`, `event`, `timestamp` and optionally `data` in each line, or a CSV file whose first row has the columns `email`, `event` and `timestamp`; its other columns become the data. At most 5 MB of UTF-8.',
  }),
  types: z.string().optional().meta({
    description:
      'For a CSV file: a JSON object with the types of columns that are not text, for example `{"total": "number"}`: `string`, `number`, `boolean` or `date`.',
  }),
})

const count = z.int().min(0)

export const ImportedEvents = z
  .object({
    totalRows: count,
    importedCount: count.meta({ description: 'Events that were added.' }),
    existingCount: count.meta({ description: 'Events that an earlier import of the same rows has added.' }),
    failureCount: count,
    errors: z
      .array(z.object({ row: z.int(), email: z.string().nullable(), error: z.string() }))
      .meta({ description: 'The first 100 rows that were skipped, by their lines in the file.' }),
  })
  .meta({ id: 'ImportedEvents' })

export function readPropertyTypes(text: string | undefined): PropertyTypes {
  if (text === undefined || text === '') return {}
  try {
    return propertyTypes.parse(JSON.parse(text))
  } catch {
    throw invalidField('types', 'Must be a JSON object of column names and types, such as {"total": "number"}.')
  }
}

const NOTHING = { totalRows: 0, importedCount: 0, existingCount: 0, failureCount: 0 }

export async function importHistory(ctx: Context, projectId: string, file: Buffer, types: PropertyTypes, who: Actor) {
  let counts = NOTHING
  let errors: EventRowError[] = []
  for (const rows of readHistory(file, types, ctx.clock.now())) {
    const failed = rows.filter((row): row is EventRowError => 'error' in row)
    const added = await addEvents(
      ctx,
      projectId,
      rows.filter((row): row is PastEvent => !('error' in row)),
    )
    const missed = [...failed, ...added.unknown].toSorted((a, b) => a.row - b.row)
    errors = [...errors, ...missed].slice(0, ERRORS_LISTED_MAX)
    counts = {
      totalRows: counts.totalRows + rows.length,
      importedCount: counts.importedCount + added.importedCount,
      existingCount: counts.existingCount + rows.length - missed.length - added.importedCount,
      failureCount: counts.failureCount + missed.length,
    }
    await setImmediate()
  }
  await transaction(ctx.db, (tx) =>
    recordAuditEntry(ctx, tx, { ...who, projectId, act: 'events.imported', details: counts }),
  )
  return { ...counts, errors }
}

async function addEvents(ctx: Context, projectId: string, events: PastEvent[]) {
  if (events.length === 0) return { importedCount: 0, unknown: [] }
  const rows = await insertPastEvents(
    ctx.db,
    projectId,
    events.map((event) => ({ ...event, id: idOf(event) })),
  )
  const unknown = events
    .filter((_, i) => !rows[i]!.is_known)
    .map(({ row, email }) => ({ row, email, error: 'There is no contact with this address. Import contacts first.' }))
  return { importedCount: rows.filter(({ is_new }) => is_new).length, unknown }
}

const idOf = ({ email, name, data, at }: PastEvent): string =>
  deriveId(firstIdAt(at), JSON.stringify([email, name, data]))
