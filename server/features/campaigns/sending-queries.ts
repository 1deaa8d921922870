/** SQL on the recipients of a campaign: who would get it, who does get it, and what is due. */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
import { audienceSql, findSegment, segmentAudienceSql } from '../segments/queries.ts'
import type { CampaignFields } from './queries.ts'

export type Audience = Pick<CampaignFields, 'type' | 'audience_type' | 'segment_id' | 'audience_condition'>

/** Whom the author chose, as a predicate over `contacts`. A segment that is gone has nobody in it. */
async function chosenSql(
  db: Database | Tx,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<RawBuilder<boolean>> {
  if (audience.audience_type === 'ALL') return sql<boolean>`true`
  if (audience.audience_type === 'FILTERED') return audienceSql(db, projectId, audience.audience_condition!, now)
  const segment = audience.segment_id ? await findSegment(db, projectId, audience.segment_id) : undefined
  return segment ? segmentAudienceSql(db, projectId, segment, now) : sql<boolean>`false`
}

/** Only the copy of an old campaign names one that is gone. */
export const segmentIsGone = async (db: Database, projectId: string, audience: Audience): Promise<boolean> =>
  audience.audience_type === 'SEGMENT' && !(await findSegment(db, projectId, audience.segment_id!))

/** Everyone gets what is transactional; anything else goes to subscribers whose address is not suppressed. */
const reachableSql = (projectId: string, { type }: Audience): RawBuilder<boolean> =>
  type === 'TRANSACTIONAL'
    ? sql<boolean>`true`
    : sql<boolean>`(contacts.subscribed and not ${isSuppressedSql(sql`${projectId}`, sql`contacts.email`)})`

/** Who gets the campaign, as a predicate over `contacts`. */
export async function recipientsSql(
  db: Database | Tx,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<RawBuilder<boolean>> {
  const chosen = await chosenSql(db, projectId, audience, now)
  return sql<boolean>`${chosen} and ${reachableSql(projectId, audience)}`
}

export interface AudienceSize {
  reached: number
  unsubscribed: number
  suppressed: number
}

export async function measureAudience(
  db: Database,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<AudienceSize> {
  const chosen = await chosenSql(db, projectId, audience, now)
  const everyone = audience.type === 'TRANSACTIONAL'
  const suppressed = isSuppressedSql(sql`${projectId}`, sql`contacts.email`)
  const { rows } = await sql<AudienceSize>`
    select count(*) filter (where ${everyone} or (subscribed and not suppressed))::int as reached,
      count(*) filter (where not ${everyone} and not subscribed)::int as unsubscribed,
      count(*) filter (where not ${everyone} and subscribed and suppressed)::int as suppressed
    from (
      select contacts.subscribed, case when ${everyone} or not contacts.subscribed then false else ${suppressed} end as suppressed
      from contacts where contacts.project_id = ${projectId} and ${chosen}
    ) as chosen`.execute(db)
  return rows[0]!
}

export const RECIPIENTS_KEY = 'campaign_recipients_pkey'

/** Writes down who gets the campaign, once: where somebody else just did, it fails on `RECIPIENTS_KEY`. Returns how many. */
export async function freezeRecipients(
  tx: Tx,
  projectId: string,
  campaignId: string,
  audience: Audience,
  now: Date,
): Promise<number> {
  const recipients = await recipientsSql(tx, projectId, audience, now)
  const { numAffectedRows } = await sql`
    insert into campaign_recipients (project_id, campaign_id, contact_id)
    select contacts.project_id, ${campaignId}::uuid, contacts.id from contacts
    where contacts.project_id = ${projectId} and ${recipients}
    order by contacts.id`.execute(tx)
  return Number(numAffectedRows)
}

/** False when somebody else was quicker, or it has been cancelled meanwhile. */
export async function setFrozen(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { contentId, recipients }: { contentId: string; recipients: number },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* set-campaign-frozen */
    update campaigns set frozen_at = ${now}, moved_at = ${now}, content_id = ${contentId}, total_recipients = ${recipients}
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is null`.execute(tx)
  return Number(numAffectedRows) > 0
}

/** Ends a campaign whose cursor has passed everyone. The caller has seen that no email is pending. */
export async function setFinished(db: Database, projectId: string, campaignId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`/* set-campaign-finished */
    update campaigns c set status = 'SENT', finished_at = ${now}, paused_at = null, updated_at = ${now}
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null
      and not exists (${waiting(sql`c`)})`.execute(db)
  return Number(numAffectedRows) > 0
}

/** Recipients that the cursor has not reached. */
const waiting = (campaign: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select from campaign_recipients r where r.project_id = ${campaign}.project_id and r.campaign_id = ${campaign}.id
    and r.contact_id > coalesce(${campaign}.last_contact_id, '00000000-0000-0000-0000-000000000000')`

/** Remembers that the cursor is at the end, unless it was only stopped. */
export async function setDrained(db: Database, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`/* set-campaign-drained */
    update campaigns c set drained_at = ${now}
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null and drained_at is null
      and not exists (${waiting(sql`c`)})`.execute(db)
}

/** Removes up to `most` recipients of a campaign that has ended, as one range: a list of them made a join of all with all. Returns how many. */
export async function clearRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* clear-campaign-recipients */
    delete from campaign_recipients r using campaigns c
    where c.project_id = ${projectId} and c.id = ${campaignId} and c.status in ('SENT', 'CANCELLED')
      and r.project_id = ${projectId} and r.campaign_id = ${campaignId} and r.contact_id <= coalesce(
        (select contact_id from campaign_recipients where project_id = ${projectId} and campaign_id = ${campaignId}
         order by contact_id offset ${most}::int - 1 limit 1),
        'ffffffff-ffff-ffff-ffff-ffffffffffff')`.execute(db)
  return Number(numAffectedRows)
}

export interface DueCampaign {
  project_id: string
  id: string
  status: string
  scheduled_for: Date | null
  /** Only its last emails are missing. */
  drained: boolean
}

/** Campaigns of every project that should be doing something and have not for a while. */
export async function listNeglected(db: Database, now: Date, idleSince: Date): Promise<DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`/* list-neglected-campaigns */
    select project_id, id, status, scheduled_for, drained_at is not null as drained from campaigns
    where (status = 'SCHEDULED' and scheduled_for <= ${now} and held_reason is null)
      or (status = 'SENDING' and drained_at is not null)
      or (status = 'SENDING' and paused_at is null and coalesce(moved_at, sent_at) <= ${idleSince})
    order by project_id, id`.execute(db)
  return rows
}

export async function setMoved(db: Database, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`/* set-campaign-moved */
    update campaigns set moved_at = ${now} where project_id = ${projectId} and id = ${campaignId}`.execute(db)
}

/** Pauses a campaign for which the project has no room this month, and says so. */
export async function setOverLimit(
  db: Database,
  projectId: string,
  campaignId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`/* set-campaign-over-limit */
    update campaigns set paused_at = ${now}, held_reason = ${reason}, updated_at = ${now}
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and paused_at is null`.execute(db)
}

export async function isDisabled(db: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`/* is-project-disabled */
    select from projects where id = ${projectId} and disabled_at is not null`.execute(db)
  return rows.length > 0
}
