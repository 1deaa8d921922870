/** Who takes mail for a domain. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface TakingProject {
  domain: string
  projectId: string
  disabled: boolean
}

/** Several projects may have proved the same domain: each gets its mail. */
export async function findTakingProjects(db: Database, domains: string[]): Promise<TakingProject[]> {
  const { rows } = await sql<TakingProject>`/* find-taking-projects */
    select d.domain, d.project_id as "projectId", p.disabled_at is not null as disabled
    from domains d join projects p on p.id = d.project_id
    where d.domain = any(${domains}::text[]) and d.status = 'VERIFIED'
    order by d.project_id`.execute(db)
  return rows
}
