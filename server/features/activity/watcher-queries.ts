/** Which projects somebody watches. Only their events cause a notification. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** By the clock of the database, which also asks: processes need not agree on the time. */
export async function watchProjects(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await sql`/* watch-projects */
    insert into activity_watchers (project_id, until)
    select id, now() + make_interval(secs => ${seconds}) from unnest(${projectIds.toSorted()}::uuid[]) as watched(id)
    on conflict (project_id) do update set until = greatest(activity_watchers.until, excluded.until)`.execute(db)
}

/** Renews the registration, and removes those of projects that are no longer watched. */
export async function keepWatching(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await watchProjects(db, projectIds, seconds)
  await sql`/* forget-watchers */
    delete from activity_watchers where project_id in (
      select project_id from activity_watchers where until < now() - interval '1 hour' for update skip locked)`.execute(
    db,
  )
}
