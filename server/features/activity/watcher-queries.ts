/** The projects that have open streams. Only their events cause a notification. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** Uses the clock of the database, so that processes don't need synchronized clocks. */
export async function watchProjects(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await sql`/* watch-projects */
    insert into activity_watchers (project_id, until)
    select id, now() + make_interval(secs => ${seconds}) from unnest(${projectIds.toSorted()}::uuid[]) as watched(id)
    on conflict (project_id) do update set until = greatest(activity_watchers.until, excluded.until)`.execute(db)
}

/** Extends the registration, and removes those of projects without watchers. */
export async function extendWatches(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await watchProjects(db, projectIds, seconds)
  await sql`/* delete-watchers */
    delete from activity_watchers where project_id in (
      select project_id from activity_watchers where until < now() - interval '1 hour' for update skip locked)`.execute(
    db,
  )
}
