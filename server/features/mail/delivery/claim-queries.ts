/** Claims emails for sending, each with a lease, and returns why the others can't be claimed. */
import type { RawBuilder, Selectable } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { Utm } from '../../../kernel/sending/settings.ts'
import { WARMING_UP } from '../../../kernel/sending/warm-up.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { prepareStatement } from '../../../platform/database/connection/prepared.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Emails } from '../../../platform/database/tables.ts'
import type { StoredAttachment } from '../../../platform/mime/mime-attachment.ts'
import { exclusionReasonSql } from '../../audience/contacts/marketing-queries.ts'
import { BOUNCED, isBouncedSql, isSuppressedForTopicSql, isSuppressedSql } from '../../audience/suppressions/queries.ts'
import {
  countPlacesStep,
  fullUntilSql,
  isOfSender,
  needsPlace,
  placesSteps,
  warmsUpSql,
} from '../../tenants/domains/warm-up/queries.ts'
import { cancelUndeliverableStep, claimStep, endedEmailFanOut, releaseStep } from '../outbox/change-queries.ts'
import { type Among, among, amongList, type EmailList, type EmailRef, forLists, listOf, named } from './queries.ts'

interface Content {
  content_subject: string
  content_body: string
  content_type: string
  content_literal: boolean
  content_plain: string | null
  content_encrypted: Buffer | null
  content_data: Record<string, unknown> | null
  /** The number of its topic, if it has one. */
  content_topic: number | null
  attachments: StoredAttachment[]
  utm: Partial<Utm> | null
  campaign_name: string | null
}

type EmailColumn =
  | 'project_id'
  | 'id'
  | 'contact_id'
  | 'to_email'
  | 'to_name'
  | 'cc'
  | 'bcc'
  | 'skipped'
  | 'recipients_done'
  | 'from_email'
  | 'from_name'
  | 'reply_to'
  | 'reply_to_name'
  | 'headers'
  | 'variables'
  | 'encrypted_variables'
  | 'content_id'
  | 'contact_data'
  | 'source_type'
  | 'template_id'
  | 'campaign_id'
  | 'attempts'
  | 'test'
  | 'created_at'

/** Everything a worker needs to compose and send one email. `created_at` of one that was to be sent later is that time. */
export interface ClaimedEmail extends Pick<Selectable<Emails>, EmailColumn>, Content {
  tracking: string
  language: string
  project_name: string
  branding: Branding
  /** When it was accepted, or when its turn in the warm-up of its domain came. */
  available_at: Date
}

export interface ClaimRequest extends EmailRef {
  /** The queue has returned this job again: a lease without a known holder has expired. */
  takeOver: boolean
}

export type BlockReason =
  | 'the project is disabled'
  | 'the campaign is paused'
  | 'these are quiet hours'
  | typeof WARMING_UP

/** Why an email can't be claimed now. */
export type ClaimBlock =
  /** Another worker has a lease until then. */
  | { leasedUntil: Date }
  /** Emails of its kind are currently paused. */
  | { reason: BlockReason; until: Date | null }
  /** It is never sent, which is a failure. */
  | { refused: string }

export interface LeaseTerms {
  now: Date
  until: Date
  /** The lock that shows that this process is running. */
  holder: number | null
  /**
   * The claim is written to disk first, so that no other process finds the email unclaimed after a crash of PostgreSQL.
   */
  durable: boolean
}

/** Uses the key, whatever the planner's statistics. */
export const contentOf = (email: string, condition = sql`true`) => sql`(
  select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
  where email_contents.project_id = ${sql.ref(`${email}.project_id`)} and email_contents.id = ${sql.ref(`${email}.content_id`)}
    and ${condition}
  limit 1)`

/** What is added to the links of an email: its campaign's parameters, or else the project's; and the campaign's name. */
export const utmStep = (email: string, projectUtm: RawBuilder<unknown>, condition = sql`true`) => sql`(
  select coalesce(campaign.utm, ${projectUtm}) as utm, campaign.name as campaign_name
  from (select) as one left join campaigns as campaign
    on campaign.project_id = ${sql.ref(`${email}.project_id`)} and campaign.id = ${sql.ref(`${email}.campaign_id`)} and ${condition})`

/** The content of `emails e` as `c`, and its topic as `t`, if they are still stored. */
const CONTENT_AND_TOPIC = sql`left join lateral ${contentOf('e')} as c on true
  left join topics as t on t.project_id = e.project_id and t.number = c.topic`

/** Over `e`, `c` and `t`: see `unwantedSql`. */
const unwantedReason = (now: Date): RawBuilder<string | null> => sql<string | null>`
  case
    when c.type is null then 'its content is no longer stored'
    when ${isBouncedSql(sql`e.project_id`, sql`e.to_email`)} then ${sql.lit(BOUNCED)}
    when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
    when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' and t.number is null then null
    when ${isSuppressedSql(sql`e.project_id`, sql`e.to_email`)} then 'the address is suppressed'
    when ${isSuppressedForTopicSql(sql`e.project_id`, sql`e.to_email`, sql`t.number`)} then 'the address is suppressed for the topic'
    when e.source_type = 'TRANSACTIONAL' then (
      select ${exclusionReasonSql('contacts', { by: 'request', topic: TOPIC, now })} from contacts
      where contacts.project_id = e.project_id and contacts.id = e.contact_id)
    else coalesce(
      (select coalesce(${exclusionReasonSql('contacts', { by: 'audience', topic: TOPIC, now })}, '')
       from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
      'the contact was deleted')
  end`

/**
 * Why `emails e` must no longer be sent; null or empty if it may be sent. `kernel/subscription.ts` has the rule. To an
 * address that bounced for good nothing is sent; any other gets email without an unsubscribe link, and tests without a
 * contact.
 */
export const unwantedSql = (now: Date): RawBuilder<string | null> =>
  sql<string | null>`(select ${unwantedReason(now)} from (select) as one ${CONTENT_AND_TOPIC})`

const TOPIC = { number: sql`t.number`, isDefault: sql`t.default_subscribed` }

/** Over an email and its content `c`: whether it is what contacts unsubscribe from, as above. */
const isMarketingContent = (email: string): RawBuilder<boolean> => sql`(
  ${sql.ref(`${email}.contact_id`)} is not null and is_marketing(${sql.ref(`${email}.source_type`)}, c.type, c.topic))`

/** The same, of an email whose content isn't read otherwise. */
export const isMarketing = (email: string): RawBuilder<boolean> => sql`(
  select ${isMarketingContent(email)} from (select) as one left join lateral ${contentOf(email)} as c on true)`

/** Over `e` and its content `c`. */
const IS_MARKETING = isMarketingContent('e')

/** A scheduled email can be older than the period of the cap by as much. */
export const SCHEDULED_DAYS_MAX = 366

/** Whether `emails e` is beyond the frequency cap. Only projects that have one pay for it. */
const isCapped = (now: Date): RawBuilder<boolean> => sql`(
  requested.cap is not null and ${IS_MARKETING} and is_capped(requested.cap, e.project_id, e.contact_id, e.id, ${now}::timestamptz,
    first_id_at(${now}::timestamptz - make_interval(days => (requested.cap ->> 'days')::int + ${SCHEDULED_DAYS_MAX}::int))))`

const counted = (count: RawBuilder<unknown>, noun: string) =>
  sql`${count} || case ${count} when '1' then ${sql.lit(` ${noun}`)} else ${sql.lit(` ${noun}s`)} end`

const CAP_REASON = sql`'the contact has received ' || ${counted(sql`(requested.cap ->> 'emails')`, 'marketing email')} || ' in '
  || ${counted(sql`(requested.cap ->> 'days')`, 'day')} || ', the frequency cap of the project'`

/** Whether `emails e` is stopped by the sunset rule of the project. Only projects that have one pay for it. */
const IS_SUNSET = sql`(requested.sunset is not null and ${IS_MARKETING}
    and sunset_since(requested.sunset, e.project_id, e.contact_id) is not null)`

const SUNSET_REASON = sql`'the contact opened and clicked nothing in at least ' || (requested.sunset ->> 'emails')
  || ' marketing emails within ' || (requested.sunset ->> 'days') || ' days, the sunset rule of the project'`

/** Whether `emails e` must wait for the end of the project's quiet hours. */
const IS_QUIET = sql`(requested.quiet_until is not null and ${IS_MARKETING})`

/**
 * Paused by its author, or because of its bounces or complaints. A campaign that reached the project's limit is paused too,
 * but its accepted emails are within the limit.
 */
const IS_PAUSED = sql`exists (
  select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
    and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at))`

/**
 * It is waiting, or its lease has expired: at its time, or because its holder exited. A lease of this process itself is
 * left from a failed claim, because an email that this process is sending is not claimed again.
 */
const isFree = ({ now, holder }: LeaseTerms): RawBuilder<boolean> => sql`
  (e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= ${now}::timestamptz
    or e.lease_holder = ${holder}::int or (requested.take_over and e.lease_holder is null)
    or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder)))))`

/** The parameters of a statement on emails that are to be claimed. */
type ClaimValues = EmailList & LeaseTerms & ReturnType<typeof columnsOf>

const columnsOf = (refs: ClaimRequest[]) => ({
  projectIds: refs.map((ref) => ref.projectId),
  emailIds: refs.map((ref) => ref.emailId),
  takeOvers: refs.map((ref) => ref.takeOver),
})

const requested = ({ projectIds, emailIds, takeOvers, now }: ClaimValues): RawBuilder<unknown> => sql`
  requested as (
    select requested.*, p.disabled_at is not null as disabled, p.tracking, p.language, p.name as project_name, p.branding, p.sending -> 'utm' as project_utm,
      ${warmsUpSql('p.id')} as warms_up, p.sending -> 'frequencyCap' as cap, p.sending -> 'sunset' as sunset, case when p.sending ? 'quietHours' then quiet_until(p.sending -> 'quietHours', ${now}::timestamptz) end as quiet_until
    from unnest(
      ${projectIds}::uuid[], ${emailIds}::uuid[], ${takeOvers}::boolean[]
    ) as requested(project_id, id, take_over)
    join projects p on p.id = requested.project_id
  )`

/**
 * `due` has the requests whose email is sent now, as far as that doesn't depend on how much email its domain sends. Everything
 * that is read for this is read once, because most of the cost of a claim is that of preparing its plan.
 */
const dueStep = (lease: LeaseTerms, these: Among): RawBuilder<unknown> => sql`
    due as (
      select requested.*, e.from_email, e.warm_up_day, e.test is not true and ${IS_MARKETING} as may_warm_up
      from requested join emails e on ${these.joinedBy('requested.project_id', 'requested.id')} and ${these.condition}
        ${CONTENT_AND_TOPIC}
      where ${isFree(lease)} and not requested.disabled and not ${IS_PAUSED} and not ${IS_QUIET}
        and coalesce(${unwantedReason(lease.now)}, '') = '' and not ${isCapped(lease.now)} and not ${IS_SUNSET}
    )`

/**
 * `admitted` has the requests that are due with the day to which the email counts in the warm-up of its domain, if it does,
 * and whether the day has no place for it. Only emails that are sent now get a place.
 */
const admittedSteps = (now: Date): RawBuilder<unknown> => sql`
    ${placesSteps(
      sql`
      select due.project_id, due.id, w.domain from due join domain_warm_ups w on ${isOfSender('due')}
      where due.warms_up and due.may_warm_up and ${needsPlace('due', now)}`,
      now,
    )},
    admitted as (
      select due.*, places.domain as place_domain, places.day as place_day, places.id is not null and places.day is null as is_held
      from due left join places on places.project_id = due.project_id and places.id = due.id
    )`

/**
 * If only this process uses the database, a claim need not be on disk before the email is sent: if PostgreSQL loses it
 * in a crash, this process still has it in memory. Emails that are being sent are not counted, so the counting triggers
 * are skipped.
 */
const claimSettings = ({ durable }: LeaseTerms): RawBuilder<unknown> => sql`
  claim_settings as materialized (
    select set_config('synchronous_commit', case when ${durable}::boolean then current_setting('synchronous_commit') else 'off' end, true),
      set_config('posthorn.counted', 'on', true)
  )`

type ClaimedRow = ClaimedEmail & { nth: number }

const claimOf = forLists((suffix) =>
  prepareStatement((v: ClaimValues) => {
    const these = amongList(v, suffix)
    return sql<ClaimedRow>`${named('claim-emails', these)}
    with ${claimSettings(v)}, ${requested(v)},
    ${dueStep(v, these)}, ${admittedSteps(v.now)},
    claimed as (${claimStep(v, {
      from: sql`admitted as requested, claim_settings`,
      where: sql`${these.joinedBy('requested.project_id', 'requested.id')} and ${these.condition} and not requested.is_held and ${isFree(v)}`,
      returning: sql`e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.cc, e.bcc, e.skipped, e.recipients_done, e.from_email, e.from_name, e.reply_to, e.reply_to_name, e.headers,
        e.variables, e.encrypted_variables, e.contact_data, e.source_type, e.template_id, e.campaign_id, e.attempts, e.test, coalesce(e.queued_at, e.created_at) as created_at, e.tracking, e.language,
        e.content_id, requested.project_name, requested.branding, requested.project_utm,
        coalesce(e.warm_up_at, e.queued_at, e.created_at) as available_at, requested.place_domain, requested.place_day`,
    })}
    ),
    ${countPlacesStep},
    numbered as (select *, row_number() over (partition by project_id, content_id) as nth from claimed)
    select numbered.*, c.subject as content_subject, c.body as content_body, c.type as content_type,
      c.literal as content_literal, c.plain as content_plain, c.encrypted as content_encrypted, c.topic as content_topic, c.data as content_data, c.attachments,
      links.utm, links.campaign_name
    from numbered left join lateral ${contentOf('numbered', sql`numbered.nth = 1`)} as c on true
      cross join lateral ${utmStep('numbered', sql`numbered.project_utm`, sql`numbered.nth = 1`)} as links`
  }),
)

/**
 * Claims the emails that can be sent and returns them in the order of the refs; undefined for the others. Emails of a
 * campaign share a content, which is returned with the first of them.
 */
export async function claimEmails(
  db: Database,
  refs: ClaimRequest[],
  lease: LeaseTerms,
): Promise<Array<ClaimedEmail | undefined>> {
  const list = listOf(refs)
  const rows = await claimOf(list)(db, { ...list, ...lease, ...columnsOf(refs) })
  const contents = new Map<string, Content>()
  for (const row of rows) if (row.nth === 1) contents.set(contentKey(row), contentIn(row))
  const claimed = new Map(rows.map((row) => [row.id, Object.assign(row, contents.get(contentKey(row)))]))
  return refs.map(({ emailId }) => claimed.get(emailId))
}

const contentKey = ({ project_id, content_id }: ClaimedRow): string => `${project_id} ${content_id}`

const contentIn = (row: Content): Content => ({
  content_subject: row.content_subject,
  content_body: row.content_body,
  content_type: row.content_type,
  content_literal: row.content_literal,
  content_plain: row.content_plain,
  content_encrypted: row.content_encrypted,
  content_data: row.content_data,
  content_topic: row.content_topic,
  attachments: row.attachments,
  utm: row.utm,
  campaign_name: row.campaign_name,
})

interface BlockedRow {
  id: string
  is_bounced: boolean
  lease_until: Date | null
  reason: BlockReason | null
  until: Date | null
}

/**
 * For emails that could not be claimed: cancels those that are no longer wanted, and returns what blocks the rest.
 * Undefined for those that are done. An email that has become free in the meantime is retried soon.
 */
export async function resolveUnclaimed(
  db: Database,
  refs: ClaimRequest[],
  lease: LeaseTerms,
): Promise<Array<ClaimBlock | undefined>> {
  const these = among(refs)
  const { rows } = await sql<BlockedRow>`
    ${named('resolve-unclaimed', these)}
    with ${requested({ ...listOf(refs), ...lease, ...columnsOf(refs) })},
    unwanted as (
      select requested.*, coalesce(nullif(unwanted.reason, ''), case when capped then ${CAP_REASON} when sunset_now then ${SUNSET_REASON} end) as reason,
        coalesce(unwanted.reason, '') = '' and (capped or sunset_now) as skips
      from requested join emails e on ${these.joinedBy('requested.project_id', 'requested.id')} and ${these.condition}
        ${CONTENT_AND_TOPIC}
        cross join lateral (select ${unwantedReason(lease.now)} as reason, ${isCapped(lease.now)} as capped, ${IS_SUNSET} as sunset_now offset 0) as unwanted
      where ${isFree(lease)} and not requested.disabled and not ${IS_PAUSED} and not ${IS_QUIET}
    ),
    cancelled as (${cancelUndeliverableStep(lease.now, {
      from: sql`unwanted as requested`,
      where: sql`${these.joinedBy('requested.project_id', 'requested.id')} and ${these.condition} and ${isFree(lease)}
        and requested.reason not in ('', ${sql.lit(BOUNCED)})`,
      returning: sql`e.project_id, e.id, e.campaign_id`,
    })}
    )${endedEmailFanOut.steps('cancelled')}
    select e.id, e.lease_until, exists (
        select from unwanted where unwanted.project_id = requested.project_id and unwanted.id = requested.id
          and unwanted.reason = ${sql.lit(BOUNCED)}) as is_bounced,
      case when requested.disabled then 'the project is disabled' when ${IS_PAUSED} then 'the campaign is paused'
        when ${IS_QUIET} then 'these are quiet hours' when full_until.at is not null then ${sql.lit(WARMING_UP)} end as reason,
      case when ${IS_QUIET} then requested.quiet_until else full_until.at end as until
    from requested join emails e on ${these.joinedBy('requested.project_id', 'requested.id')} and ${these.condition}
      ${CONTENT_AND_TOPIC}
      left join lateral (
        select ${fullUntilSql(lease.now)} as at from domain_warm_ups w
        where ${isOfSender('e')} and requested.warms_up and ${isFree(lease)} and e.test is not true and ${IS_MARKETING}
          and ${needsPlace('e', lease.now)}
      ) as full_until on true
    where e.status in ('PENDING', 'SENDING') and not exists (
      select from cancelled where cancelled.project_id = requested.project_id and cancelled.id = requested.id)
      and ${endedEmailFanOut.isAdded('cancelled')}`.execute(db)
  const blocked = new Map(rows.map((row) => [row.id, claimBlockOf(row, lease)]))
  return refs.map(({ emailId }) => blocked.get(emailId))
}

function claimBlockOf(row: BlockedRow, { until }: LeaseTerms): ClaimBlock {
  const { reason, is_bounced, lease_until } = row
  if (reason) return { reason, until: row.until }
  return is_bounced ? { refused: BOUNCED } : { leasedUntil: lease_until ?? until }
}

/** Releases a claim of this process on an email that it won't send now; other processes keep theirs. */
export async function releaseClaim(ctx: Context, { projectId, emailId }: EmailRef): Promise<void> {
  const where = sql`e.project_id = ${projectId} and e.id = ${emailId} and e.status || '' = 'SENDING'
    and e.lease_holder = ${ctx.workerLock ?? null}::int`
  await sql`/* release-claim */ ${releaseStep(ctx.clock.now(), { where })}`.execute(ctx.db)
}
