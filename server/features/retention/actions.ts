/**
 * Removes events and emails that are older than the retention settings allow, in whole months: moves them out of their
 * tables, counts them, archives them if ARCHIVE is set, and drops them. Each step can be repeated after a crash.
 */
import type { Context } from '../../context.ts'
import { OperatorProblem } from '../../kernel/errors.ts'
import { firstIdAt, timeOfId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/database/connect.ts'
import * as retired from '../../platform/database/retired-tables.ts'
import type { Tally } from '../../platform/database/tallies.ts'
import { deleteCapturedBefore } from '../../platform/mail/capture.ts'
import { enqueue } from '../../platform/queue/job-table.ts'
import { openArchive } from '../../platform/storage/open-storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive, readManifest, writeArchive } from './archive.ts'
import { deleteTestsBefore, findFirstUnsentId } from './queries.ts'

const DAY_MS = 86_400_000
const BATCH = 1_000

/** Emails last: a failure in between leaves emails without notes, but no notes without an email. */
const TABLES = { events: ['events'], emails: ['email_notes', 'email_contents', 'emails'] } as const

const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))

export async function deleteOldEvents(ctx: Context, tallies: readonly Tally[]): Promise<void> {
  await retired.withRetentionLock(ctx.db, 'events', async () => {
    const days = ctx.settings.EVENT_RETENTION_DAYS
    if (days > 0) await retire(ctx, TABLES.events, horizonOf(ctx, days))
    await finish(ctx, tallies, TABLES.events)
  })
}

export async function deleteOldEmails(ctx: Context, tallies: readonly Tally[]): Promise<void> {
  await retired.withRetentionLock(ctx.db, 'emails', async () => {
    const days = ctx.settings.EMAIL_RETENTION_DAYS
    if (days > 0) await retireEmails(ctx, horizonOf(ctx, days))
    await finish(ctx, tallies, TABLES.emails)
  })
}

/** Rows from before this time are removed: the first of a month. */
const horizonOf = (ctx: Context, days: number) => monthOf(new Date(ctx.clock.now().getTime() - days * DAY_MS))

/** Months with emails that are not sent yet, such as those of a paused campaign, are kept. */
async function retireEmails(ctx: Context, horizon: Date): Promise<void> {
  const unsent = await findFirstUnsentId(ctx.db, firstIdAt(horizon))
  const before = unsent ? monthOf(timeOfId(unsent)) : horizon
  await retire(ctx, TABLES.emails, before)
  await deleteTestsBefore(ctx.db, firstIdAt(before))
  while ((await deleteCapturedBefore(ctx.db, before, BATCH)) === BATCH);
}

async function retire(ctx: Context, tables: readonly retired.PartitionedTable[], before: Date): Promise<void> {
  const now = ctx.clock.now()
  const retirement = { now, toArchive: ctx.settings.ARCHIVE !== '' }
  for (const table of tables) {
    for (const month of await retired.listOldMonths(ctx.db, table, before, now)) {
      await retired.retireMonth(ctx.db, table, month, retirement)
    }
    await retired.retireRest(ctx.db, table, before, retirement)
  }
}

/** Also continues after a crash, or after the settings were changed. */
async function finish(
  ctx: Context,
  tallies: readonly Tally[],
  tables: readonly retired.PartitionedTable[],
): Promise<void> {
  const storage = openArchive(ctx.settings)
  for (const table of await retired.listRetired(ctx.db, [...tables], ctx.clock.now())) {
    if (!table.counted) await retired.countRetired(ctx.db, tallies, table)
    if (table.archive && !storage) {
      ctx.log.warn(
        { table: table.name },
        'old rows are kept until ARCHIVE is set again, because they were to be archived',
      )
      continue
    }
    const rows = storage ? await archive(ctx, storage, table) : null
    const now = ctx.clock.now()
    await retired.dropRetired(ctx.db, table.name, { archive: rows ? table.name : null, rows, now })
    ctx.log.info({ table: table.name, archivedRows: rows }, 'old rows were removed')
  }
}

async function archive(ctx: Context, storage: Storage, { name, parent }: retired.RetiredTable): Promise<number> {
  const columns = (await retired.listColumns(ctx.db, parent)).map((column) => column.name)
  const batches = retired.readRetired(ctx.db, name, columns)
  const { rows } = await writeArchive(storage, { name, table: parent, columns }, batches, {
    temporaryFolder: ctx.settings.DATA_DIR,
  })
  return rows
}

/** Puts the rows of an archive back. Data of contacts that were deleted since is erased again. */
export async function restoreArchive(
  db: Database,
  tallies: readonly Tally[],
  storage: Storage,
  name: string,
  keepUntil: Date,
): Promise<retired.Restored> {
  const manifest = await readManifest(storage, name)
  const known = await retired.listColumns(db, manifest.table)
  const columns = manifest.columns.map((column) => {
    const found = known.find((each) => each.name === column)
    if (!found) throw new OperatorProblem(`The archive has a column ${column}, which ${manifest.table} doesn't have.`)
    return found
  })
  await retired.createStaging(db, name, manifest.table)
  try {
    for await (const rows of readArchive(storage, manifest)) await retired.fillStaging(db, name, columns, rows)
    return await retired.putBack(db, tallies, name, manifest.table, keepUntil, async (tx, { deletedContacts }) => {
      for (const contacts of deletedContacts) await enqueue(tx, 'erase-contacts', contacts)
    })
  } finally {
    await retired.deleteStaging(db, name)
  }
}
