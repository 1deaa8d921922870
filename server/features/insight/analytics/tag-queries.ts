/** SQL of tags, which are columns of the tables that have them. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export interface TagRow {
  tag: string
  campaigns: number
  templates: number
  segments: number
  workflows: number
}

/** Every tag of a project, by name, with the number of things that have it. */
export async function listTags(db: Database, projectId: string): Promise<TagRow[]> {
  const tagged = (['campaigns', 'templates', 'segments', 'workflows'] as const).map(
    (table) => sql`select unnest(tags) as tag, ${table} as kind from ${sql.table(table)}
      where project_id = ${projectId} and tags <> '{}'`,
  )
  const { rows } = await sql<TagRow>`
    select tag, count(*) filter (where kind = 'campaigns') as campaigns, count(*) filter (where kind = 'templates') as templates,
      count(*) filter (where kind = 'segments') as segments, count(*) filter (where kind = 'workflows') as workflows
    from (${sql.join(tagged, sql` union all `)}) as tagged group by tag order by lower(tag), tag`.execute(db)
  return rows
}
