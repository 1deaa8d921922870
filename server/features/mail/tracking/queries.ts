/** The statement that records opens and clicks, for many emails at once. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { facts, hasEvents, moment, UNSENT, writeNotesStep } from '../delivery/outcome-queries.ts'
import { among, named } from '../delivery/queries.ts'
import { markEngagedStep } from '../outbox/change-queries.ts'

export interface EngagementRow {
  projectId: string
  emailId: string
  at: Date
  opens: number
  clicks: number
  botOpens: number
  botClicks: number
  /** The link of the first of these clicks. */
  link: string | null
  botLink: string | null
  /** What people clicked. */
  links: Array<{ link: string; clicks: number }>
  openEventId: string
  clickEventId: string
  botOpenNoteId: string
  botClickNoteId: string
}

/**
 * Records opens and clicks of many emails. The first of each is an event, all are counted. Those within `humanAfterMs`
 * after sending are treated as automatic.
 */
export async function markEngaged(db: Database, rows: EngagementRow[], humanAfterMs: number, now: Date): Promise<void> {
  const these = among(rows)
  await sql`${named('mark-engaged', these)}
    with reported as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        opens int, clicks int, "botOpens" int, "botClicks" int, link text, "botLink" text, links jsonb,
        "openEventId" uuid, "clickEventId" uuid, "botOpenNoteId" uuid, "botClickNoteId" uuid)
    ),
    locked as (
      select reported.*, e.opened_at is null as unopened, e.clicked_at is null as unclicked,
        e.bot_opens = 0 as no_bot_opened, e.bot_clicks = 0 as no_bot_clicked,
        coalesce(reported.at < e.sent_at + make_interval(secs => ${humanAfterMs}::float8 / 1000), false) as fast
      from reported join emails e on ${these.joinedBy('reported.projectId', 'reported.emailId')}
      where ${these.condition} and e.status || '' not in (${UNSENT})
      order by e.project_id, e.id for no key update of e
    ),
    hit as (
      select h.*, case when fast then 0 else opens end as real_opens, case when fast then 0 else clicks end as real_clicks,
        "botOpens" + case when fast then opens else 0 end as bot_opens,
        "botClicks" + case when fast then clicks else 0 end as bot_clicks
      from locked h
    ),
    marked as (${markEngagedStep(now, {
      from: sql`hit h`,
      where: sql`${these.joinedBy('h.projectId', 'h.emailId')} and ${these.condition}`,
      returning: sql`e.*, h.at, h.link, h."botLink", h.links, h.fast, h."openEventId", h."clickEventId", h."botOpenNoteId", h."botClickNoteId",
        h.unopened and h.real_opens + h.real_clicks > 0 as first_open, h.unclicked and h.real_clicks > 0 as first_click,
        h.no_bot_opened and h.bot_opens > 0 as first_bot_open, h.no_bot_clicked and h.bot_clicks > 0 as first_bot_click`,
    })}
    ),
    links_written as (
      insert into link_clicks as known (project_id, email_id, link_hash, link, contact_id, campaign_id, clicks, first_at, last_at)
      select m.project_id, m.id, md5(clicked.link)::uuid, clicked.link, m.contact_id, m.campaign_id, clicked.clicks, m.at, m.at
      from marked m cross join lateral jsonb_to_recordset(m.links) as clicked(link text, clicks int)
      where not m.fast and ${hasEvents('m')}
      on conflict (project_id, email_id, link_hash) do update
        set clicks = known.clicks + excluded.clicks, last_at = greatest(known.last_at, excluded.last_at)
    ),
    notes_written as (${writeNotesStep(sql`
      select project_id, "botOpenNoteId", id, 'bot.open', '', at from marked where first_bot_open
      union all
      select project_id, "botClickNoteId", id, 'bot.click', coalesce("botLink", link, ''), at from marked where first_bot_click`)}
    ),
    ${writeEvents(
      'written',
      sql`
      select m.project_id, m."openEventId", 'email.open', m.contact_id, m.id,
        ${facts('m')} || jsonb_build_object('openedAt', ${moment(sql`m.at`)}, 'opens', 1, 'isFirstOpen', true), ${now}::timestamptz
      from marked m where m.first_open and ${hasEvents('m')}
      union all
      select m.project_id, m."clickEventId", 'email.click', m.contact_id, m.id,
        ${facts('m')} || jsonb_build_object('link', m.link, 'clickedAt', ${moment(sql`m.at`)}, 'clicks', 1, 'isFirstClick', true), ${now}::timestamptz
      from marked m where m.first_click and ${hasEvents('m')}`,
    )}
    select 1`.execute(db)
}
