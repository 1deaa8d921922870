/** SQL on the feeds of campaigns, as they were fetched. */

import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'

export async function saveFeed(tx: Tx, projectId: string, campaignId: string, data: unknown, now: Date): Promise<void> {
  await sql`/* save-campaign-feed */
    insert into campaign_feeds (project_id, campaign_id, data, fetched_at)
    values (${projectId}, ${campaignId}, ${JSON.stringify(data)}::jsonb, ${now})
    on conflict (project_id, campaign_id) do update set data = excluded.data, fetched_at = excluded.fetched_at`.execute(
    tx,
  )
}

/** In an object, because JSON can be null. */
export async function findFeed(
  db: Database | Tx,
  projectId: string,
  campaignId: string,
): Promise<{ feed: unknown } | undefined> {
  const { rows } = await sql<{ feed: unknown }>`/* find-campaign-feed */
    select data as feed from campaign_feeds where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(db)
  return rows[0]
}
