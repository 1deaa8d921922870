/** SQL of the public archive: projects by the slug of their archive, and their public campaigns that were sent. */

import type { Branding } from '../../../../kernel/content/branding.ts'
import type { Database } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'

export interface Archive {
  project_id: string
  name: string
  title: string
  slug: string
  language: string
  branding: Branding
}

/** Undefined if no project has it, or if it is not enabled. A disabled project may have been used for phishing. */
export async function findArchive(db: Database, slug: string): Promise<Archive | undefined> {
  const { rows } = await sql<Archive>`/* find-archive */
    select id as project_id, name, sending -> 'archive' ->> 'title' as title, archive_slug as slug, language, branding
    from projects where archive_slug = ${slug} and (sending -> 'archive' ->> 'enabled')::boolean and disabled_at is null`.execute(
    db,
  )
  return rows[0]
}

export interface PublicCampaign {
  id: string
  subject: string
  body: string
  preheader: string | null
  sent_at: Date
  /** What the templates have as `feed`, in an object; null without one. */
  data: { feed: unknown } | null
}

/** As most of the audience received it: of an experiment, the winner. */
const publicCampaigns = (projectId: string) => sql`
  select c.id, coalesce(v.variant ->> 'subject', c.subject) as subject, coalesce(v.variant ->> 'preheader', c.preheader) as preheader,
    coalesce(v.variant ->> 'body', c.body) as body, c.sent_at,
    (select jsonb_build_object('feed', f.data) from campaign_feeds f
      where f.project_id = c.project_id and f.campaign_id = c.id) as data
  from campaigns c left join lateral (
    select variant from campaign_experiments x, jsonb_array_elements(x.variants) as variant
    where x.project_id = c.project_id and x.campaign_id = c.id and variant ->> 'name' = x.winner
  ) as v on true
  where c.project_id = ${projectId} and c.is_public and c.status = 'SENT'`

/** Newest first, without their bodies. */
export async function listPublic(
  db: Database,
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Array<Omit<PublicCampaign, 'body'>>> {
  const { rows } = await sql<Omit<PublicCampaign, 'body'>>`/* list-public-campaigns */
    select id, subject, preheader, sent_at, data from (${publicCampaigns(projectId)}) as c
    order by sent_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function findPublic(db: Database, projectId: string, id: string): Promise<PublicCampaign | undefined> {
  const { rows } = await sql<PublicCampaign>`/* find-public-campaign */
    ${publicCampaigns(projectId)} and c.id = ${id}::uuid`.execute(db)
  return rows[0]
}
