/** All SQL on layouts and saved blocks. */
import type { RawBuilder, Selectable } from 'kysely'
import type { Block } from '../../../kernel/content/email-document.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Layouts, SavedBlocks } from '../../../platform/database/tables.ts'

type Named = Pick<Selectable<Layouts | SavedBlocks>, 'id' | 'name' | 'created_at' | 'updated_at'>

export type LayoutRow = Named & { header: Block[]; footer: Block[] }

type Db = Database | Tx

/** Only campaigns that have not started; emails that others have sent no longer change. */
const usersOf = (projectId: string, layoutId: RawBuilder<unknown>) => sql`(
  select count(*)::int from (
    select from templates where project_id = ${projectId} and document ->> 'layoutId' = ${layoutId}
    union all
    select from campaigns where project_id = ${projectId} and document ->> 'layoutId' = ${layoutId}
      and status in ('DRAFT', 'SCHEDULED')
  ) as users)`

export async function listLayouts(db: Db, projectId: string) {
  const { rows } = await sql<Omit<LayoutRow, 'header' | 'footer'> & { emails: number }>`/* list-layouts */
    select id, name, created_at, updated_at, ${usersOf(projectId, sql`layouts.id::text`)} as emails
    from layouts where project_id = ${projectId} order by lower(name), id`.execute(db)
  return rows
}

export async function findLayout(db: Db, projectId: string, id: string): Promise<LayoutRow | undefined> {
  const { rows } = await sql<LayoutRow>`/* find-layout */
    select id, name, header, footer, created_at, updated_at from layouts where project_id = ${projectId} and id = ${id}`.execute(
    db,
  )
  return rows[0]
}

export async function countUsers(db: Db, projectId: string, id: string): Promise<number> {
  const { rows } = await sql<{ emails: number }>`/* count-layout-users */
    select ${usersOf(projectId, sql`${id}`)} as emails`.execute(db)
  return rows[0]!.emails
}

interface NewLayout {
  name: string
  header: Block[]
  footer: Block[]
}

/** Undefined if the project already has as many as it can. */
export async function insertLayout(
  db: Db,
  projectId: string,
  id: string,
  { name, header, footer }: NewLayout,
  most: number,
  now: Date,
): Promise<LayoutRow | undefined> {
  const { rows } = await sql<LayoutRow>`/* insert-layout */
    insert into layouts (project_id, id, name, header, footer, created_at, updated_at)
    select ${projectId}, ${id}, ${name}, ${JSON.stringify(header)}::jsonb, ${JSON.stringify(footer)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from layouts where project_id = ${projectId}) < ${most}
    returning id, name, header, footer, created_at, updated_at`.execute(db)
  return rows[0]
}

const jsonOrNull = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export async function updateLayout(
  db: Db,
  projectId: string,
  id: string,
  { name, header, footer }: { [K in keyof NewLayout]?: NewLayout[K] | undefined },
  now: Date,
): Promise<LayoutRow | undefined> {
  const { rows } = await sql<LayoutRow>`/* update-layout */
    update layouts set name = coalesce(${name ?? null}, name),
      header = coalesce(${jsonOrNull(header)}::jsonb, header), footer = coalesce(${jsonOrNull(footer)}::jsonb, footer),
      updated_at = ${changedAt(now)}
    where project_id = ${projectId} and id = ${id}
    returning id, name, header, footer, created_at, updated_at`.execute(db)
  return rows[0]
}

/** Waits for emails that are being saved with the layout. Returns when it was last changed, undefined if there is none. */
export async function lockLayout(tx: Tx, projectId: string, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`/* lock-layout */
    select updated_at from layouts where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]?.updated_at
}

export async function deleteLayout(tx: Tx, projectId: string, id: string): Promise<void> {
  await sql`/* delete-layout */
    delete from layouts where project_id = ${projectId} and id = ${id}`.execute(tx)
}

export type SavedBlocksRow = Named & { blocks: Block[] }

export async function listSavedBlocks(db: Db, projectId: string) {
  const { rows } = await sql<Omit<SavedBlocksRow, 'blocks'>>`/* list-saved-blocks */
    select id, name, created_at, updated_at from saved_blocks where project_id = ${projectId} order by lower(name), id`.execute(
    db,
  )
  return rows
}

export async function findSavedBlocks(db: Db, projectId: string, id: string): Promise<SavedBlocksRow | undefined> {
  const { rows } = await sql<SavedBlocksRow>`/* find-saved-blocks */
    select id, name, blocks, created_at, updated_at from saved_blocks where project_id = ${projectId} and id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Undefined if the project already has as many as it can. */
export async function insertSavedBlocks(
  db: Db,
  projectId: string,
  id: string,
  { name, blocks }: Pick<SavedBlocksRow, 'name' | 'blocks'>,
  most: number,
  now: Date,
): Promise<SavedBlocksRow | undefined> {
  const { rows } = await sql<SavedBlocksRow>`/* insert-saved-blocks */
    insert into saved_blocks (project_id, id, name, blocks, created_at, updated_at)
    select ${projectId}, ${id}, ${name}, ${JSON.stringify(blocks)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from saved_blocks where project_id = ${projectId}) < ${most}
    returning id, name, blocks, created_at, updated_at`.execute(db)
  return rows[0]
}

/** Returns when they were last changed, undefined if there are none. */
export async function lockSavedBlocks(tx: Tx, projectId: string, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`/* lock-saved-blocks */
    select updated_at from saved_blocks where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]?.updated_at
}

export async function updateSavedBlocks(
  db: Db,
  projectId: string,
  id: string,
  { name, blocks }: { name?: string | undefined; blocks?: Block[] | undefined },
  now: Date,
): Promise<SavedBlocksRow | undefined> {
  const { rows } = await sql<SavedBlocksRow>`/* update-saved-blocks */
    update saved_blocks set name = coalesce(${name ?? null}, name),
      blocks = coalesce(${jsonOrNull(blocks)}::jsonb, blocks), updated_at = ${changedAt(now)}
    where project_id = ${projectId} and id = ${id}
    returning id, name, blocks, created_at, updated_at`.execute(db)
  return rows[0]
}

export async function deleteSavedBlocks(db: Db, projectId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`/* delete-saved-blocks */
    delete from saved_blocks where project_id = ${projectId} and id = ${id}`.execute(db)
  return numAffectedRows === 1n
}
