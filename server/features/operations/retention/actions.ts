/**
 * Removes data that is older than the retention settings allow. Bodies are deleted; events and emails are removed in whole
 * months: moved out of their tables, counted, archived if ARCHIVE is set, and dropped. Each step can be repeated after a
 * crash.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../../context.ts'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { firstIdAt, timeOfId } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import type { Tally } from '../../../platform/database/tallies.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { openArchive } from '../../../platform/storage/open-storage.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { deleteCapturedBefore } from '../../../platform/transports/capture.ts'
import { readArchive, readManifest, writeArchive } from './archive.ts'
import { deleteErased } from './erased-queries.ts'
import type { PartitionedTable } from './partition-queries.ts'
import { countUnsent, deleteContents, deleteRestBefore, selectNeededContents, selectUnsent } from './queries.ts'
import * as staging from './restored-queries.ts'
import * as retired from './retired-queries.ts'

const DAY_MS = 86_400_000
const BATCH = 5_000
/** Larger, because each batch reads which contents the unsent emails of all projects need. */
const CONTENTS_BATCH = 50_000

/** Emails last: a failure in between leaves emails without notes, but no notes without an email. */
const TABLES = { events: ['events'], emails: ['email_notes', 'email_contents', 'emails'] } as const
type Kind = keyof typeof TABLES

const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
const daysAgo = (ctx: Context, days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS)
/** Rows from before this time, the first of a month, are removed. */
const horizonOf = (ctx: Context, days: number) => monthOf(daysAgo(ctx, days))

/**
 * Bodies and attachments are kept for BODY_RETENTION_DAYS; the emails' rows stay. Whole months are dropped at once, the
 * rest in batches.
 */
export async function deleteOldBodies(ctx: Context): Promise<void> {
  const days = ctx.settings.BODY_RETENTION_DAYS
  if (days === 0) return
  const [before, now] = [daysAgo(ctx, days), ctx.clock.now()]
  const keep = selectNeededContents(firstIdAt(before))
  for (const month of await retired.listOldMonths(ctx.db, 'email_contents', before, now)) {
    await retired.dropMonth(ctx.db, 'email_contents', month, keep)
  }
  while ((await deleteContents(ctx.db, before, now, keep, CONTENTS_BATCH)) === CONTENTS_BATCH);
  while ((await deleteCapturedBefore(ctx.db, before, BATCH)) === BATCH);
}

export async function deleteOldEvents(ctx: Context, tallies: readonly Tally[]): Promise<void> {
  await retired.withRetentionLock(ctx.db, 'events', async () => {
    const days = ctx.settings.EVENT_RETENTION_DAYS
    await inTurn(ctx, [
      async () => void (days > 0 && (await retire(ctx, 'events', horizonOf(ctx, days)))),
      () => finish(ctx, tallies, 'events'),
    ])
  })
}

export async function deleteOldEmails(ctx: Context, tallies: readonly Tally[]): Promise<void> {
  await retired.withRetentionLock(ctx.db, 'emails', async () => {
    const days = ctx.settings.EMAIL_RETENTION_DAYS
    await inTurn(ctx, [
      async () => void (days > 0 && (await retireEmails(ctx, horizonOf(ctx, days)))),
      () => finish(ctx, tallies, 'emails'),
    ])
  })
}

/** Runs every step, even if one fails. Throws the first error and logs the others. */
async function inTurn(ctx: Context, steps: Array<() => Promise<void>>): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  for (const error of errors.slice(1)) ctx.log.error({ err: error }, 'old rows could not be removed')
  if (errors.length > 0) throw errors[0]
}

/** Emails that haven't been sent yet, such as those of a paused campaign, are kept with their contents. */
async function retireEmails(ctx: Context, horizon: Date): Promise<void> {
  const end = firstIdAt(horizon)
  await retire(ctx, 'email_notes', horizon)
  const kept = await retire(ctx, 'email_contents', horizon, selectNeededContents(end))
  // Erasing a contact finds contents through its emails, so they stay with their contents.
  await retire(ctx, 'emails', horizon, selectUnsent, kept)
  await deleteRestBefore(ctx.db, end)
  while ((await deleteCapturedBefore(ctx.db, horizon, BATCH)) === BATCH);
  const unsent = await countUnsent(ctx.db, end)
  if (unsent.emails > 0) {
    ctx.log.warn(
      { emails: unsent.emails },
      'emails older than EMAIL_RETENTION_DAYS are kept, because they are not sent yet',
    )
  }
}

/** Returns the months that are kept, as YYYY_MM. */
async function retire(
  ctx: Context,
  table: PartitionedTable,
  before: Date,
  keep?: retired.KeptRows,
  exceptMonths: string[] = [],
): Promise<string[]> {
  const now = ctx.clock.now()
  const keptMonths: string[] = []
  const retirement = { now, toArchive: ctx.settings.ARCHIVE !== '', keep }
  for (const month of await retired.listOldMonths(ctx.db, table, before, now)) {
    const yearAndMonth = month.slice(-7)
    if (exceptMonths.includes(yearAndMonth)) continue
    if (await retired.retireMonth(ctx.db, table, month, retirement)) continue
    keptMonths.push(yearAndMonth)
    ctx.log.warn({ month }, 'an old month is kept because it has many or large unsent emails')
  }
  await retired.retireRest(ctx.db, table, before, retirement)
  return keptMonths
}

/** Also continues after a crash, or after the settings were changed. */
async function finish(ctx: Context, tallies: readonly Tally[], kind: Kind): Promise<void> {
  const storage = openArchive(ctx.settings)
  const draftFolder = path.join(ctx.settings.DATA_DIR, 'archive-draft', kind)
  await rm(draftFolder, { recursive: true, force: true }) // left by a process that was killed
  for (const table of await retired.listRetired(ctx.db, [...TABLES[kind]], ctx.clock.now())) {
    if (!table.counted) await retired.countRetired(ctx.db, tallies, table)
    if (table.archive && !storage) {
      const reason = 'ARCHIVE is not set, but these rows were to be archived.'
      await retired.recordError(ctx.db, table.name, reason)
      ctx.log.warn({ table: table.name, reason }, 'old rows are kept')
      continue
    }
    let rows: number | null
    do rows = storage ? await archive(ctx, storage, table, draftFolder) : null
    while (!(await retired.dropRetired(ctx.db, table, rows, ctx.clock.now())))
    ctx.log.info({ table: table.name, archivedRows: rows }, 'old rows were removed')
  }
}

async function archive(
  ctx: Context,
  storage: Storage,
  table: retired.RetiredTable,
  draftFolder: string,
): Promise<number> {
  const { name, parent } = table
  try {
    await deleteErased(ctx.db, table)
    const columns = (await retired.listColumns(ctx.db, parent)).map((column) => column.name)
    const batches = retired.readRetired(ctx.db, name, columns)
    const { rows } = await writeArchive(storage, { name, table: parent, columns }, batches, { draftFolder })
    return rows
  } catch (error) {
    await retired.recordError(ctx.db, name, (error as Error).message).catch((failure: unknown) => {
      ctx.log.warn({ err: failure, table: name }, 'the reason could not be recorded')
    })
    throw error
  }
}

/** Puts the rows of an archive back. Data of contacts that were deleted since is erased again. */
export async function restoreArchive(
  db: Database,
  tallies: readonly Tally[],
  storage: Storage,
  folder: string,
  keepUntil: Date,
): Promise<staging.Restored> {
  const manifest = await readManifest(storage, folder)
  const { name, table: parent } = manifest
  const known = await retired.listColumns(db, parent)
  const columns = manifest.columns.map((column) => {
    const found = known.find((each) => each.name === column)
    if (!found) throw new OperatorProblem(`The archive has a column ${column}, which ${parent} doesn't have.`)
    return found
  })
  await staging.createStaging(db, name, parent)
  try {
    for await (const rows of readArchive(storage, folder, manifest)) await staging.fillStaging(db, name, columns, rows)
    return await staging.putBack(db, tallies, { name, parent, keepUntil }, async (tx, contacts) => {
      await enqueue(tx, 'erase-contacts', contacts)
    })
  } finally {
    await staging.deleteStaging(db, name)
  }
}

const STORED = { bodies: 'email_contents', events: 'events', emails: 'emails' } as const

/** What the operator sees: the settings, the oldest stored months, and what is waiting to be archived. */
export async function getRetention(ctx: Context) {
  const { settings, db } = ctx
  const days = {
    bodies: settings.BODY_RETENTION_DAYS,
    events: settings.EVENT_RETENTION_DAYS,
    emails: settings.EMAIL_RETENTION_DAYS,
  }
  const rules = await Promise.all(
    (['bodies', 'events', 'emails'] as const).map(async (data) => {
      const [oldest] = await retired.listMonths(db, STORED[data])
      return { data, days: days[data] || null, oldestMonth: oldest?.slice(-7).replace('_', '-') ?? null }
    }),
  )
  const [waiting, lastArchive, unsent] = await Promise.all([
    retired.listPending(db),
    retired.findLastArchive(db),
    days.emails > 0 ? countUnsent(db, firstIdAt(horizonOf(ctx, days.emails))) : undefined,
  ])
  return {
    rules,
    archive: archiveKind(settings.ARCHIVE),
    waiting,
    unsent: unsent?.oldestId ? { emails: unsent.emails, since: timeOfId(unsent.oldestId) } : null,
    lastArchive: lastArchive ?? null,
  }
}

/** Only the kind of archive, because the value can contain keys. */
function archiveKind(archive: string): 'folder' | 's3' | null {
  if (archive === '') return null
  return archive.startsWith('s3://') ? 's3' : 'folder'
}
