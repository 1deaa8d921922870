/** The statement that writes the emails of the next recipients: of the campaign, or of the wave that is due. */
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { type MoreColumns, outboxSteps } from '../../../mail/outbox/queries.ts'

export interface Slice {
  size: number
  now: Date
  /** When its emails are to be delivered; now if absent. */
  deliverAt?: Date | undefined
  /** The subject, if it contains no template code. */
  subject: string | null
  /** Whether the campaign has waves: then the slice is of the first that is due. */
  waves: boolean
}

export interface WrittenSlice {
  /** How many recipients the cursor passed; 0 at the end, or if the campaign must not continue. */
  recipients: number
  /** The project's monthly limit, if the slice would exceed it; then nothing was written. */
  overLimit: number | null
}

/**
 * Writes the emails of the next recipients, moves the campaign's cursor and enqueues the deliveries, all or nothing.
 * The campaign's row is locked, so no two statements write the same recipients, and a concurrent cancellation either
 * comes first or cancels these emails too. Deleted contacts are only counted.
 */
export async function insertSlice(
  db: Database,
  projectId: string,
  campaignId: string,
  { size, now, deliverAt, subject, waves }: Slice,
): Promise<WrittenSlice> {
  const cursor = waves ? waveCursor(now) : CAMPAIGN_CURSOR
  const { rows } =
    await sql<WrittenSlice>`${waves ? sql`/* insert-campaign-wave-slice */` : sql`/* insert-campaign-slice */`}
    with campaign as (
      select * from campaigns
      where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null and paused_at is null
        and has_waves = ${waves}::boolean
      for update
    ),
    ${cursor.step}
    upcoming as (
      select r.contact_id from ${cursor.source} cross join lateral (
        select contact_id from ${cursor.recipients}
        where project_id = ${projectId} and campaign_id = ${campaignId} and ${cursor.condition}
          and contact_id > coalesce(${cursor.source}.last_contact_id, '00000000-0000-0000-0000-000000000000')
        order by contact_id limit ${size}
      ) as r
    ),
    ${outboxSteps({
      source: 'CAMPAIGN',
      limit: {
        source: 'campaigns',
        cost: sql`select ${projectId}::uuid, 1, count(*)::int, ${now}::timestamptz from upcoming having count(*) > 0`,
      },
      rows: sql`
    slice as (select contact_id from upcoming where not exists (select from over_limit)),
    message as (${cursor.message(subject, now)}),
    recipient as (
      select 1 as request, id_at(${now}::timestamptz, row_number() over (order by contacts.id)) as email_id,
        contacts.id as contact_id, contacts.email as to_email, null::text as to_name, contacts.data as contact_data
      from slice join contacts on contacts.project_id = ${projectId} and contacts.id = slice.contact_id
    )`,
      more: cursor.more,
      job: {
        all: cursor.job,
        payload: sql`(select json_build_object('projectId', ${projectId}::text, 'campaignId', ${campaignId}::text,
          'emailIds', json_agg(id order by id)) from outbox)`,
        onlyIf: sql`exists (select from slice)`,
        runAt: deliverAt,
      },
    })},
    ${cursor.waveMoved}
    moved as (
      update campaigns set ${cursor.moved} moved_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${campaignId} and exists (select from slice)
    ),
    gone as (
      insert into campaign_count_changes (project_id, campaign_id, ended)
      select ${projectId}, ${campaignId}, missing.count
      from (select (select count(*) from slice) - (select count(*) from recipient) as count) as missing
      where missing.count > 0
    )
    select (select count(*) from slice)::int as recipients, (select max from over_limit) as "overLimit"`.execute(db)
  return { recipients: rows[0]!.recipients, overLimit: rows[0]!.overLimit }
}

/** Where the next recipients are read, and how that position moves. */
interface Cursor {
  step: RawBuilder<unknown>
  /** Has `last_contact_id`. */
  source: RawBuilder<unknown>
  recipients: RawBuilder<unknown>
  condition: RawBuilder<unknown>
  message: (subject: string | null, now: Date) => RawBuilder<unknown>
  more: MoreColumns | undefined
  job: 'send-campaign-slice' | 'send-campaign-wave'
  waveMoved: RawBuilder<unknown>
  moved: RawBuilder<unknown>
}

const LAST_OF_SLICE = sql`(select contact_id from slice order by contact_id desc limit 1)`

const CAMPAIGN_CURSOR: Cursor = {
  step: sql``,
  source: sql`campaign`,
  recipients: sql`campaign_recipients`,
  condition: sql`true`,
  message: (subject, now) => sql`
      select 1 as request, project_id, ${now}::timestamptz as asked_at, content_id, from_email, from_name, reply_to,
        '{}'::jsonb as headers, '{}'::jsonb as variables, null::bytea as encrypted_variables, ${subject}::text as known_subject, template_id, id as campaign_id,
        null::uuid as workflow_execution_id, null::text as message_id
      from campaign`,
  more: undefined,
  job: 'send-campaign-slice',
  waveMoved: sql``,
  moved: sql`last_contact_id = ${LAST_OF_SLICE},`,
}

/**
 * The variants of an experiment are due at the same time: the one with the fewest emails is next, so that none is ahead.
 * The lock reads the wave as it is after any statement that this one has waited for.
 */
const waveCursor = (now: Date): Cursor => ({
  step: sql`
    wave as (
      select w.* from campaign join campaign_waves w on w.project_id = campaign.project_id and w.campaign_id = campaign.id
      where w.send_at <= ${now}::timestamptz and w.queued < w.recipients
      order by w.send_at, w.queued, w.number limit 1 for update of w
    ),`,
  source: sql`wave`,
  recipients: sql`campaign_wave_recipients`,
  condition: sql`campaign_wave_recipients.wave = wave.number`,
  message: (subject, now) => sql`
      select 1 as request, campaign.project_id, ${now}::timestamptz as asked_at, coalesce(wave.content_id, campaign.content_id) as content_id,
        coalesce(wave.from_email, campaign.from_email) as from_email,
        case when wave.content_id is null then campaign.from_name else wave.from_name end as from_name, reply_to,
        '{}'::jsonb as headers, '{}'::jsonb as variables, null::bytea as encrypted_variables,
        case when wave.content_id is null then ${subject}::text else wave.subject end as known_subject, template_id, id as campaign_id,
        null::uuid as workflow_execution_id, null::text as message_id, wave.number as wave
      from campaign cross join wave`,
  more: { columns: sql`wave`, values: sql`m.wave`, status: sql`'PENDING'` },
  job: 'send-campaign-wave',
  waveMoved: sql`
    wave_moved as (
      update campaign_waves w set last_contact_id = ${LAST_OF_SLICE}, queued = w.queued + (select count(*) from slice)
      from wave where w.project_id = wave.project_id and w.campaign_id = wave.campaign_id and w.number = wave.number
        and exists (select from slice)
    ),`,
  moved: sql``,
})
