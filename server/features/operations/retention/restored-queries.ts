/** Puts the rows of an archive back into a partitioned table: first into a staging table, then into its months at once. */
import type { RawBuilder } from 'kysely'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { countDropped, type Tally } from '../../../platform/database/tallies.ts'
import { makePartition, type PartitionedTable } from './partition-queries.ts'
import {
  type Column,
  isOfRemovedProject,
  lockRetiring,
  placeOf,
  setTextFormat,
  type TextRow,
} from './retired-queries.ts'

const DAY_MS = 86_400_000
const CONTACTS_AT_ONCE = 500

const stagingOf = (name: string) => placeOf(`restored_${name}`)

export async function createStaging(db: Database, name: string, parent: PartitionedTable): Promise<void> {
  await deleteStaging(db, name)
  await sql`create table ${stagingOf(name)} (like ${sql.table(parent)} including defaults including indexes)`.execute(
    db,
  )
}

export const deleteStaging = async (db: Database, name: string): Promise<void> => {
  await sql`drop table if exists ${stagingOf(name)}`.execute(db)
}

export async function fillStaging(db: Database, name: string, columns: Column[], rows: TextRow[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const values = sql.join(columns.map(({ name, type }) => sql`v.${sql.ref(name)}::${sql.raw(type)}`))
  const lists = sql.join(columns.map((_, i) => sql`${rows.map((row) => row[i] ?? null)}::text[]`))
  await transaction(db, async (tx) => {
    await setTextFormat(tx)
    await sql`insert into ${stagingOf(name)} (${names}) select ${values} from unnest(${lists}) as v(${names})`.execute(
      tx,
    )
  })
}

export interface Restored {
  rows: number
  /** The months, as YYYY-MM. */
  months: string[]
  /** Rows of the archive that are stored already, or belong to a project, contact or email that isn't stored. */
  leftOut: number
}

interface Month {
  from: Date
  to: Date
}

/**
 * Moves the rows to their months, all or nothing. They are written to the partitions directly, because triggers of the
 * table would count them and start workflows. `eraseContacts` enqueues the erasure of contacts that have since been deleted.
 */
export async function putBack(
  db: Database,
  tallies: readonly Tally[],
  { name, parent, keepUntil }: { name: string; parent: PartitionedTable; keepUntil: Date },
  eraseContacts: (tx: Tx, contacts: { projectId: string; contactIds: string[] }) => Promise<void>,
): Promise<Restored> {
  const staging = stagingOf(name)
  const months = await monthsIn(db, staging)
  const link = linkToEmails(parent, months)
  if (link) await requireEmails(db, staging, link)
  for (const { from, to } of months) await makePartition(db, parent, from, to)
  const restored = await transaction(db, async (tx) => {
    await lockRetiring(tx)
    const leftOut = await reduceStaging(tx, staging, parent, link)
    const written = { rows: 0, months: [] as string[], leftOut }
    for (const { from, to } of months) {
      const month = from.toISOString().slice(0, 7)
      const [first, end] = [firstIdAt(from), firstIdAt(to)]
      const { numAffectedRows } = await sql`
        insert into ${sql.table(`${parent}_${month.replace('-', '_')}`)}
        select * from ${staging} where id >= ${first} and id < ${end}`.execute(tx)
      await sql`
        insert into restored_months (parent, month, first_id, end_id, keep_until)
        values (${parent}, ${`${month}-01`}::date, ${first}, ${end}, ${keepUntil})
        on conflict (parent, month) do update set keep_until = excluded.keep_until`.execute(tx)
      written.rows += Number(numAffectedRows)
      written.months.push(month)
    }
    await countDropped(tx, tallies, parent, staging, -1)
    // Last, so that contacts that were deleted while rows were inserted are found. A later deletion erases them itself.
    if (!link) for (const contacts of await listDeletedContacts(tx, staging)) await eraseContacts(tx, contacts)
    return written
  })
  // Erasing a contact finds contents and notes through the email, so contacts erased in the meantime are checked again.
  if (link) {
    await sql`
      delete from ${sql.table(parent)} as old using ${staging} as s
      where old.project_id = s.project_id and old.id = s.id and ${isErased(link, 'old')}`.execute(db)
  }
  return restored
}

/** Leaves out rows of projects that were deleted or reset, rows that are already stored, and rows of erased emails. */
async function reduceStaging(
  tx: Tx,
  staging: RawBuilder<unknown>,
  parent: PartitionedTable,
  link: EmailLink | undefined,
): Promise<number> {
  const conditions = [
    isOfRemovedProject('s'),
    sql`exists (select from ${sql.table(parent)} p where p.project_id = s.project_id and p.id = s.id)`,
    // Without its row in test_emails, a test email would not be erased with the contact whose data it shows.
    ...(parent === 'emails' ? [sql`is_test(source_type, campaign_id)`] : []),
    ...(link ? [isErased(link, 's')] : []),
  ]
  let leftOut = 0
  for (const condition of conditions) {
    const { numAffectedRows } = await sql`delete from ${staging} as s where ${condition}`.execute(tx)
    leftOut += Number(numAffectedRows)
  }
  if (link && parent === 'email_contents') await recountEmails(tx, staging, link)
  return leftOut
}

type RowCondition = (row: string) => RawBuilder<unknown>

/** How a note or a content is linked to emails. */
interface EmailLink {
  /** Contents that emails of later statements share belong to no email. */
  isPersonal: RowCondition
  /** Whether `emails e` is an email that it belongs to. */
  isOf: RowCondition
}

/** An erased email has no address. One without a contact can be a received email without a sender. */
const STORED = sql`e.to_email <> ''`

function linkToEmails(parent: PartitionedTable, months: Month[]): EmailLink | undefined {
  const sameProject = (row: string) => sql`e.project_id = ${sql.ref(`${row}.project_id`)}`
  if (parent === 'email_notes') {
    return {
      isPersonal: () => sql`true`,
      isOf: (row) => sql`${sameProject(row)} and e.id = ${sql.ref(`${row}.email_id`)}`,
    }
  }
  if (parent !== 'email_contents' || months.length === 0) return undefined
  // There is no index on contents, so only emails of about the same time are read.
  const first = firstIdAt(new Date(months[0]!.from.getTime() - DAY_MS))
  const end = firstIdAt(new Date(months.at(-1)!.to.getTime() + DAY_MS))
  return {
    isPersonal: (row) => sql`${sql.ref(`${row}.emails_left`)} is not null`,
    isOf: (row) => sql`${sameProject(row)} and e.content_id = ${sql.ref(`${row}.id`)}
      and e.id >= ${first}::uuid and e.id < ${end}::uuid`,
  }
}

const isErased = ({ isPersonal, isOf }: EmailLink, row: string) =>
  sql`${isPersonal(row)} and not exists (select from emails e where ${STORED} and ${isOf(row)})`

/** Without emails, everything would be left out. */
async function requireEmails(db: Database, staging: RawBuilder<unknown>, link: EmailLink): Promise<void> {
  const { rows } = await sql<{ isWithoutEmails: boolean }>`
    select exists (select from ${staging} s where ${link.isPersonal('s')}) and not exists (
      select from ${staging} s join emails e on ${link.isOf('s')} where ${link.isPersonal('s')}) as "isWithoutEmails"`.execute(
    db,
  )
  if (!rows[0]!.isWithoutEmails) return
  throw new OperatorProblem(
    "None of the emails that this archive belongs to is stored. Restore the emails of the same month first, from the archive whose name begins with 'emails_'.",
  )
}

/** Emails that have since been erased no longer need their content. */
async function recountEmails(tx: Tx, staging: RawBuilder<unknown>, { isOf }: EmailLink): Promise<void> {
  await sql`
    update ${staging} as s set emails_left = used.emails
    from (
      select c.project_id, c.id, count(*)::int as emails from ${staging} c join emails e on ${isOf('c')}
      where ${STORED} group by c.project_id, c.id
    ) as used
    where s.project_id = used.project_id and s.id = used.id and s.emails_left <> used.emails`.execute(tx)
}

async function monthsIn(db: Database, staging: RawBuilder<unknown>): Promise<Month[]> {
  const { rows } = await sql<{ month: Date }>`
    select distinct date_trunc('month', to_timestamp(
      ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0), 'UTC') as month
    from ${staging} order by 1`.execute(db)
  return rows.map(({ month }) => ({
    from: month,
    to: new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)),
  }))
}

/** Contacts in these rows that have since been deleted, by project. */
async function listDeletedContacts(tx: Tx, staging: RawBuilder<unknown>) {
  const { rows } = await sql<{ projectId: string; contactIds: string[] }>`
    select project_id as "projectId", array_agg(contact_id) as "contactIds" from (
      select project_id, contact_id, row_number() over (partition by project_id order by contact_id) as number
      from (select distinct project_id, contact_id from ${staging} where contact_id is not null) as s
      where not exists (select from contacts c where c.project_id = s.project_id and c.id = s.contact_id)
    ) as deleted
    group by project_id, number / ${CONTACTS_AT_ONCE}`.execute(tx)
  return rows
}
