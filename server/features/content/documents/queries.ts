/** SQL of documents: what their blocks show about the project, and the blocks of its layouts. */
import type { Selectable } from 'kysely'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { Block } from '../../../kernel/content/email-document.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import type { Projects } from '../../../platform/database/tables.ts'

export type BrandRow = Pick<Selectable<Projects>, 'name' | 'language'> & { branding: Branding }

export async function readBrand(db: Database, projectId: string): Promise<BrandRow> {
  const row = await db
    .selectFrom('projects')
    .select(['name', 'language', 'branding'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { ...row, branding: row.branding as Branding }
}

export async function findLayoutBlocks(
  db: Database,
  projectId: string,
  id: string,
): Promise<{ header: Block[]; footer: Block[] } | undefined> {
  const row = await db
    .selectFrom('layouts')
    .select(['header', 'footer'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { header: row.header as unknown as Block[], footer: row.footer as unknown as Block[] }
}

/** Keeps the layout from being changed or deleted until the transaction ends. Undefined if there is no such layout. */
export async function keepLayout(tx: Tx, projectId: string, id: string) {
  return tx
    .selectFrom('layouts')
    .select(['created_at', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}

/** By storage key. Those that aren't found are left out. */
export async function findImageSizes(db: Database, projectId: string, storageKeys: string[]) {
  return db
    .selectFrom('uploads')
    .select(['storage_key', 'width', 'height'])
    .where('project_id', '=', projectId)
    .where('storage_key', 'in', storageKeys)
    .execute()
}
