/**
 * Every change of an email after it was accepted, as a step of the statement that records the cause. The caller selects
 * the emails and the returned columns; the change itself is defined here.
 */
import type { RawBuilder } from 'kysely'
import { sql } from '../../../platform/database/connection/sql.ts'
import { createFanOut } from '../../../platform/queue/fan-out.ts'

/**
 * Rows are emails that were sent, or never will be: project_id, campaign_id. Every statement that ends emails adds the
 * work of the consumers, which are in app.ts.
 */
export const endedEmailFanOut = createFanOut('emails')

/**
 * Rows are emails that were sent just now: project_id, campaign_id, delivered. The statement that records them skips the
 * triggers that count, so each consumer, which is in app.ts, counts them.
 */
export const sentEmailFanOut = createFanOut('sent emails')

/** The emails to change are `e`. */
export interface EmailSelection {
  /** Rows with the values that the change needs; see each change. */
  from?: RawBuilder<unknown>
  where: RawBuilder<unknown>
  returning?: RawBuilder<unknown>
}

const changeEmails = (set: RawBuilder<unknown>, now: Date, { from, where, returning }: EmailSelection) => sql`
      update emails e set ${set}, updated_at = ${now}::timestamptz
      ${from ? sql`from ${from}` : sql``}
      where ${where}
      ${returning ? sql`returning ${returning}` : sql``}`

/**
 * The project's settings are stored when the email is first claimed, so that a retry sends the same bytes. An email
 * that an older version claimed has a tracking setting but no language: its footer was English.
 */
const SETTINGS = sql`tracking = coalesce(e.tracking, requested.tracking),
        language = coalesce(e.language, case when e.tracking is null then requested.language else 'en' end)`

/** `from` has `requested`, with the settings of the project, and the day to which the email counts, or null. */
export const claimStep = (lease: { now: Date; until: Date; holder: number | null }, emails: EmailSelection) =>
  changeEmails(
    sql`status = 'SENDING',
        attempts = e.attempts + case when e.status = 'SENDING' and e.lease_holder = ${lease.holder}::int then 0 else 1 end,
        lease_until = ${lease.until}::timestamptz,
        lease_holder = ${lease.holder}::int, warm_up_day = coalesce(requested.place_day, e.warm_up_day),
        warm_up_at = case when requested.place_day is null then e.warm_up_at else coalesce(e.warm_up_at, ${lease.now}::timestamptz) end, ${SETTINGS}`,
    lease.now,
    emails,
  )

/** Undoes a claim: nothing was sent. */
export const releaseStep = (now: Date, emails: EmailSelection) =>
  changeEmails(sql`status = 'PENDING', attempts = e.attempts - 1, lease_until = null, lease_holder = null`, now, emails)

/** `from` has `requested`, with the settings of the project, the reason, and whether it is a limit of the project: the frequency cap or the sunset rule. */
export const cancelUndeliverableStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`status = case when requested.skips then 'SKIPPED' else 'CANCELLED' end, error = 'Not sent: ' || requested.reason || '.', lease_until = null, lease_holder = null,
        ${SETTINGS}`,
    now,
    emails,
  )

/** `error` is unchanged if absent. */
export const cancelStep = (now: Date, emails: EmailSelection, error?: string | RawBuilder<string>) =>
  changeEmails(
    error === undefined ? sql`status = 'CANCELLED'` : sql`status = 'CANCELLED', error = ${error}`,
    now,
    emails,
  )

/** `from` has `judged`, with the data of the contact and the copies that are left out. */
export const releaseScheduledStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`status = 'PENDING', queued_at = ${now}::timestamptz, contact_data = e.contact_data || judged.data, skipped = judged.skipped`,
    now,
    emails,
  )

export const rescheduleStep = (at: Date, now: Date, emails: EmailSelection) =>
  changeEmails(sql`status = 'SCHEDULED', error = null, scheduled_for = ${at}::timestamptz`, now, emails)

/** Whether the email is to be sent later and hasn't been released yet. */
const IS_UNRELEASED = sql`e.scheduled_for is not null and e.queued_at is null`

/**
 * Resets emails to the state in which they were accepted. A scheduled one that was never released is due now. The caller
 * adds their jobs, by their status.
 */
export const requeueStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`status = case when ${IS_UNRELEASED} then 'SCHEDULED' else 'PENDING' end, error = null, attempts = 0, lease_until = null,
        scheduled_for = case when ${IS_UNRELEASED} then least(e.scheduled_for, ${now}::timestamptz) else e.scheduled_for end`,
    now,
    emails,
  )

/** `from` has `o`: subject, "messageId", delivered. */
export const markSentStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`status = case when o.delivered then 'DELIVERED' else 'SENT' end, subject = o.subject, message_id = o."messageId",
        error = null, lease_until = null, lease_holder = null, sent_at = ${now}::timestamptz,
        delivered_at = case when o.delivered then ${now}::timestamptz end`,
    now,
    emails,
  )

export interface NotSent {
  status: 'FAILED' | 'PENDING'
  error: string
  /** False if the attempt failed for a reason unrelated to the email and doesn't count. */
  counts: boolean
}

export const markNotSentStep = (outcome: NotSent, now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`status = ${outcome.status}, error = ${outcome.error}, lease_until = null, lease_holder = null,
        attempts = attempts - ${outcome.counts ? 0 : 1}::int`,
    now,
    emails,
  )

/** These further recipients need no further attempt. */
export const markRecipientsDoneStep = (done: string[], now: Date, emails: EmailSelection) =>
  changeEmails(sql`recipients_done = coalesce(e.recipients_done, '{}') || ${done}::text[]`, now, emails)

/** `from` has `h`: at. */
export const markDeliveredStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`delivered_at = h.at, status = case e.status when 'SENT' then 'DELIVERED' else e.status end`,
    now,
    emails,
  )

/** `from` has `h`: at, words, subject, "messageId". */
export const markBouncedStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`bounced_at = h.at, lease_until = null, error = coalesce(h.words, e.error),
        status = case e.status when 'COMPLAINED' then e.status else 'BOUNCED' end,
        subject = coalesce(e.subject, h.subject), message_id = coalesce(e.message_id, h."messageId")`,
    now,
    emails,
  )

/** `from` has `h`: at. */
export const markTransientBounceStep = (now: Date, emails: EmailSelection) =>
  changeEmails(sql`transient_bounced_at = h.at`, now, emails)

/** `from` has `h`: at. */
export const markComplainedStep = (now: Date, emails: EmailSelection) =>
  changeEmails(sql`complained_at = h.at, status = 'COMPLAINED', lease_until = null`, now, emails)

/** `from` has `h`: at, real_opens, real_clicks, bot_opens, bot_clicks. A click implies an open. */
export const markEngagedStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`opens = case when h.real_clicks > 0 then greatest(e.opens + h.real_opens, 1) else e.opens + h.real_opens end,
        clicks = e.clicks + h.real_clicks,
        bot_opens = e.bot_opens + h.bot_opens, bot_clicks = e.bot_clicks + h.bot_clicks,
        opened_at = case when h.real_opens + h.real_clicks > 0 then coalesce(e.opened_at, h.at) else e.opened_at end,
        clicked_at = case when h.real_clicks > 0 then coalesce(e.clicked_at, h.at) else e.clicked_at end,
        status = case when h.real_clicks > 0 and e.status in ('SENT', 'DELIVERED', 'OPENED') then 'CLICKED'
          when h.real_opens > 0 and e.status in ('SENT', 'DELIVERED') then 'OPENED' else e.status end`,
    now,
    emails,
  )

const CONTACT_DELETED = sql.lit('Not sent: the contact was deleted.')

/** Unsent emails to a deleted contact: scheduled ones have failed, others are canceled. */
export const stopEmailsStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`error = case e.status when 'SCHEDULED' then ${CONTACT_DELETED} else e.error end,
        status = case e.status when 'SCHEDULED' then 'FAILED' else 'CANCELLED' end`,
    now,
    emails,
  )

/** Erases personal data in emails to a deleted contact. Scheduled ones have failed, others that are unsent are canceled. */
export const eraseEmailsStep = (now: Date, emails: EmailSelection) =>
  changeEmails(
    sql`contact_id = null, to_email = '', to_name = null, subject = '', reply_to = null, headers = '{}',
        variables = '{}', encrypted_variables = null, contact_data = '{}', tags = null,
        error = case when e.status = 'SCHEDULED' or e.error = ${CONTACT_DELETED} then ${CONTACT_DELETED} end, reply_to_name = null,
        cc = null, bcc = null, skipped = null, recipients_done = null,
        from_email = case e.source_type when 'INBOUND' then '' else e.from_email end,
        from_name = case e.source_type when 'INBOUND' then null else e.from_name end,
        message_id = case e.source_type when 'INBOUND' then null else e.message_id end, lease_until = null,
        status = case when e.status = 'SCHEDULED' then 'FAILED' when e.status in ('PENDING', 'SENDING') then 'CANCELLED' else e.status end`,
    now,
    emails,
  )

/** Erases data about a deleted contact in emails to others. */
export const eraseVariablesStep = (now: Date, emails: EmailSelection) =>
  changeEmails(sql`variables = '{}', encrypted_variables = null, contact_data = '{}', subject = ''`, now, emails)

/**
 * Subtracts emails from their contents: `used` selects content_id, emails. A content is deleted with its last email.
 */
export const eraseContentsStep = (projectId: string, used: RawBuilder<unknown>) => sql`
      update email_contents c set emails_left = c.emails_left - used.emails,
        subject = case when c.emails_left > used.emails then c.subject else '' end,
        body = case when c.emails_left > used.emails then c.body else '' end,
        plain = case when c.emails_left > used.emails then c.plain end,
        encrypted = case when c.emails_left > used.emails then c.encrypted end,
        attachments = case when c.emails_left > used.emails then c.attachments else '[]' end
      from (${used}) as used where c.project_id = ${projectId} and c.id = used.content_id and c.emails_left is not null`

/** Deletes the contents that `batch` selects: project_id, id. Their emails stay. */
export const deleteContentsStep = (batch: RawBuilder<unknown>) => sql`
    delete from email_contents c using (${batch}) as batch where c.project_id = batch.project_id and c.id = batch.id`

/**
 * After a restore: unsent emails must be resent manually. $1: the error, $2: now. Runs in the schema of the backup,
 * which may be older than this version's.
 */
export const FAIL_UNSENT_EMAILS = `
  update emails set status = 'FAILED', lease_until = null, lease_holder = null, updated_at = $2, error = $1
  where status in ('SCHEDULED', 'PENDING', 'SENDING')`
