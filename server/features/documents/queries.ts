/** SQL of documents: what their blocks show of the project. */
import type { Branding } from '../../kernel/branding.ts'
import type { Database } from '../../platform/database/connect.ts'

export interface BrandRow {
  name: string
  language: string
  branding: Branding
}

export async function readBrand(db: Database, projectId: string): Promise<BrandRow> {
  const row = await db
    .selectFrom('projects')
    .select(['name', 'language', 'branding'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { ...row, branding: row.branding as Branding }
}
