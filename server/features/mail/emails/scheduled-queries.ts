/** SQL of scheduled emails: releasing those that are due, and changing or canceling the others. */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { addJobSql, addJobsStep, removeJobSql } from '../../../platform/queue/job-table.ts'
import { exclusionReasonSql } from '../../audience/contacts/marketing-queries.ts'
import { BOUNCED, isBouncedSql, isSuppressedForTopicSql, isSuppressedSql } from '../../audience/suppressions/queries.ts'
import { isVerifiedSql } from '../../tenants/domains/queries.ts'
import { recordUsageStep, spendSteps } from '../../tenants/usage/queries.ts'
import { type Among, among, type EmailRef, named } from '../delivery/queries.ts'
import { cancelStep, releaseScheduledStep, rescheduleStep } from '../outbox/change-queries.ts'
import { scheduledJobKey, skippedCopies } from '../outbox/option-queries.ts'

export interface DueEmail extends EmailRef {
  from: string
}

/** Those of the emails that are to be sent by now. */
export async function findDue(db: Database, refs: EmailRef[], now: Date): Promise<DueEmail[]> {
  const { rows } = await sql<DueEmail>`/* find-due-emails */
    select e.project_id as "projectId", e.id as "emailId", e.from_email as from
    from unnest(${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.emailId)}::uuid[]) as asked(project_id, id)
    cross join lateral (
      select project_id, id, from_email from emails
      where emails.project_id = asked.project_id and emails.id = asked.id and status || '' = 'SCHEDULED'
        and scheduled_for <= ${now}::timestamptz limit 1
    ) as e`.execute(db)
  return rows
}

export interface NotReleased extends EmailRef {
  /** Why it is not sent; null if the month's limit is reached. */
  reason: string | null
  max: number | null
}

/** Whether the subscription applies. As everywhere, a topic also makes it apply to HEADLESS email. */
const IS_MARKETING = sql`(c.type = 'MARKETING' or (c.type = 'HEADLESS' and t.number is not null))`

/**
 * Why a due email is not sent after all; null if it is. The same rules as for a request to send it now. An opt-out cancels
 * it, everything else is a failure, a permanent bounce included.
 */
const REASON = sql`case
      when c.type is null then 'its content is no longer stored'
      when contact.id is null then 'the contact was deleted'
      when not ${isVerifiedSql(sql`e.project_id`, sql`asked.from_domain`)} then 'the sender domain ' || asked.from_domain || ' is not verified'
      when ${isBouncedSql(sql`e.project_id`, sql`e.to_email`)} then ${sql.lit(BOUNCED)}
      when not ${IS_MARKETING} then null
      when ${isSuppressedSql(sql`e.project_id`, sql`e.to_email`)} then 'the address is suppressed'
      when ${isSuppressedForTopicSql(sql`e.project_id`, sql`e.to_email`, sql`t.number`)} then 'the address is suppressed for the topic'
    end`

/**
 * Emails that are due: checks them again, counts them against the month's limit, and enqueues their delivery with the
 * contact's data of this moment. Cancels those to contacts who opted out. Returns those that failed, which stay
 * scheduled until that is recorded.
 */
export async function releaseDue(
  db: Database,
  due: Array<EmailRef & { fromDomain: string }>,
  now: Date,
): Promise<NotReleased[]> {
  const these = among(due)
  const { rows } = await sql<NotReleased>`${named('release-due-emails', these)}
    with asked as (
      select * from unnest(
        ${due.map((r) => r.projectId)}::uuid[], ${due.map((r) => r.emailId)}::uuid[], ${due.map((r) => r.fromDomain)}::text[]
      ) with ordinality as asked(project_id, id, from_domain, request)
    ),
    judged as (
      select e.project_id, e.id, e.test, asked.request::int, contact.data, ${REASON} as reason,
        ${skippedCopies({ projectId: sql`e.project_id`, cc: sql`e.cc`, bcc: sql`e.bcc`, type: sql`c.type`, topic: sql`c.topic`, now })} as skipped,
        case when ${IS_MARKETING} and not ${isBouncedSql(sql`e.project_id`, sql`e.to_email`)} then contact.exclusion end as exclusion
      from asked cross join lateral (
        select * from emails
        where emails.project_id = asked.project_id and emails.id = asked.id and status || '' = 'SCHEDULED'
          and scheduled_for <= ${now}::timestamptz limit 1
      ) as e
      left join lateral (
        select type, topic from email_contents where email_contents.project_id = e.project_id and email_contents.id = e.content_id limit 1
      ) as c on true
      left join topics as t on t.project_id = e.project_id and t.number = c.topic
      left join lateral (
        select id, data, ${exclusionReasonSql('contacts', { by: 'request', topic: TOPIC, now })} as exclusion from contacts
        where contacts.project_id = e.project_id and contacts.id = e.contact_id limit 1
      ) as contact on true
    ),
    ${spendSteps(
      'transactional',
      sql`select project_id, request, 1, ${now}::timestamptz from judged where reason is null and exclusion is null and test is not true`,
    )},
    released as (${releaseScheduledStep(now, {
      from: sql`judged`,
      where: sql`${isJudged(these, now)} and judged.reason is null and judged.exclusion is null
        and judged.request not in (select request from over_limit)`,
      returning: sql`e.project_id, e.id, e.test`,
    })}
    ),
    used as (${recordUsageStep('transactional', now, sql`released where test is not true`)}),
    cancelled as (${cancelStep(
      now,
      { from: sql`judged`, where: sql`${isJudged(these, now)} and judged.exclusion is not null` },
      sql`'Not sent: ' || judged.exclusion || '.'`,
    )}
    ),
    ${addJobsStep(
      'deliver-email',
      sql`select json_build_object('projectId', project_id, 'emailId', id) from released`,
      { priority: PRIORITY.burst },
    )}
    select judged.project_id as "projectId", judged.id as "emailId", judged.reason, over_limit.max
    from judged left join over_limit on over_limit.request = judged.request
    where judged.exclusion is null and (judged.reason is not null or over_limit.request is not null)`.execute(db)
  return rows
}

const TOPIC = { number: sql`t.number`, isDefault: sql`t.default_subscribed` }

/** The emails that `judged` has and that are still due. */
const isJudged = (these: Among, now: Date): RawBuilder<boolean> =>
  sql`e.project_id = judged.project_id and e.id = judged.id and ${these.condition} and e.status || '' = 'SCHEDULED'
        and e.scheduled_for <= ${now}::timestamptz`

const isScheduled = ({ projectId, emailId }: EmailRef): RawBuilder<boolean> =>
  sql`e.project_id = ${projectId} and e.id = ${emailId} and e.status || '' = 'SCHEDULED'`

/** False if it isn't scheduled any longer. */
export async function reschedule(db: Tx, ref: EmailRef, at: Date, now: Date): Promise<boolean> {
  const { rows } = await sql`/* reschedule-email */
    with changed as (${rescheduleStep(at, now, { where: isScheduled(ref), returning: sql`e.project_id, e.id` })})
    select ${scheduleJob(at)} from changed`.execute(db)
  return rows.length > 0
}

/** The job at the time of the emails in `changed`. */
const scheduleJob = (at: Date): RawBuilder<unknown> =>
  addJobSql('send-scheduled-email', sql`json_build_object('projectId', changed.project_id, 'emailId', changed.id)`, {
    runAt: at,
    jobKey: scheduledJobKey(sql`changed.id`),
  })

/** False if it isn't scheduled any longer. */
export async function cancelScheduled(db: Tx, ref: EmailRef, now: Date): Promise<boolean> {
  const { rows } = await sql`/* cancel-scheduled-email */
    with changed as (${cancelStep(now, { where: isScheduled(ref), returning: sql`e.id` }, 'Canceled before it was sent.')}),
    removed as (${removeJobSql(sql`select ${scheduledJobKey(sql`changed.id`)} from changed`)})
    select id from changed`.execute(db)
  return rows.length > 0
}
