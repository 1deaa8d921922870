/** What a request of POST /v1/send may have beside its message: parts of the statement that accepts it. */
import type { RawBuilder } from 'kysely'
import type { Copy } from '../../../kernel/email-address.ts'
import type { EmailTags } from '../../../kernel/email-tags.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { insertTimedJobs } from '../../../platform/queue/job-table.ts'
import { exclusionReasonSql } from '../../audience/contacts/marketing-queries.ts'
import { isSuppressedForTopicSql, isSuppressedSql } from '../../audience/suppressions/queries.ts'
import type { MoreColumns } from './queries.ts'

export interface SendOptions {
  tags?: EmailTags | undefined
  /** The name of the Reply-To address. */
  replyToName?: string | undefined
  /** Further recipients of the message. */
  cc?: Copy[] | undefined
  bcc?: Copy[] | undefined
  /** When the emails are sent; now if absent. */
  sendAt?: Date | undefined
  /** Never delivered or counted. */
  test?: true | undefined
}

/** Most requests have none; their statement doesn't contain these parts. */
export const hasOptions = (options: SendOptions): boolean => Object.values(options).some((value) => value !== undefined)

/** A further column of `request`: the options of each request, or null. */
export const optionsOf = (options: SendOptions[]): RawBuilder<unknown> => sql`,
        (${options.map((given) => (hasOptions(given) ? JSON.stringify(given) : null))}::jsonb[])[request] as options`

/** Whether the emails of a row with options are sent later. */
export const isLater = (row: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(`${row}.options`)} ? 'sendAt', false)`

/** Whether the emails of a row with options count against the limit of the month now. */
export const isCounted = (row: string): RawBuilder<boolean> =>
  sql<boolean>`not coalesce(${sql.ref(`${row}.options`)} ?| '{sendAt,test}', false)`

/** In SQL, the email whose copies are judged. Without a number, it has no topic. */
interface CopiedEmail {
  projectId: RawBuilder<unknown>
  cc: RawBuilder<unknown>
  bcc: RawBuilder<unknown>
  type: RawBuilder<unknown>
  topic: RawBuilder<unknown>
  now: Date | RawBuilder<unknown>
}

/**
 * The addresses in `cc` and `bcc` that get no copy, as JSON; null if there are none. They are those of contacts who would be
 * refused as the recipient of such an email, and suppressed ones, whatever the email is.
 */
export function skippedCopies({ projectId, cc, bcc, type, topic, now }: CopiedEmail): RawBuilder<unknown> {
  const address = sql`(copy ->> 'email')`
  const topicOfEmail = { number: sql`topic.number`, isDefault: sql`topic.default_subscribed` }
  return sql`(
          select jsonb_agg(jsonb_build_object('email', ${address}, 'reason', judged.reason))
          from jsonb_array_elements(coalesce(${cc}, '[]') || coalesce(${bcc}, '[]')) as copy
          left join topics as topic on topic.project_id = ${projectId} and topic.number = ${topic}
          left join lateral (
            select ${exclusionReasonSql('contacts', { by: 'request', topic: topicOfEmail, now })} as exclusion from contacts
            where contacts.project_id = ${projectId} and contacts.email = ${address} limit 1
          ) as reader on true
          cross join lateral (select case
            when ${isSuppressedSql(projectId, address)} then 'The address is suppressed.'
            when not (${type} = 'MARKETING' or (${type} = 'HEADLESS' and topic.number is not null)) then null
            when ${isSuppressedForTopicSql(projectId, address, sql`topic.number`)} then 'The address is suppressed for the topic.'
            else upper(left(reader.exclusion, 1)) || substr(reader.exclusion, 2) || '.' end as reason) as judged
          where judged.reason is not null)`
}

/** How the request was made. */
export const originColumns: MoreColumns = {
  columns: sql`via, key_id`,
  values: sql`m.via, m.key_id`,
  status: sql.lit('PENDING'),
}

export const withOptions = (others: MoreColumns): MoreColumns => ({
  columns: sql`${others.columns}, tags, reply_to_name, scheduled_for, cc, bcc, test, skipped`,
  values: sql`${others.values}, m.options -> 'tags', m.options ->> 'replyToName', (m.options ->> 'sendAt')::timestamptz, m.options -> 'cc', m.options -> 'bcc',
        (m.options ->> 'test')::boolean, case when not ${isLater('m')} then ${skippedCopies({
          projectId: sql`m.project_id`,
          cc: sql`m.options -> 'cc'`,
          bcc: sql`m.options -> 'bcc'`,
          type: sql`m.type`,
          topic: sql`m.topic`,
          now: sql`m.asked_at`,
        })} end`,
  status: sql`case when ${isLater('m')} then 'SCHEDULED' else 'PENDING' end`,
})

/** Identifies the job of a scheduled email, which is replaced with its time. */
export const scheduledJobKey = (emailId: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`('scheduled:' || ${emailId}::text)`

/** Steps after the emails are written: tags by which they are found, and the jobs of those that are sent later. */
export const optionSteps = sql`
    scheduled as (${insertTimedJobs(
      'send-scheduled-email',
      sql`select json_build_object('projectId', m.project_id, 'emailId', r.email_id), (m.options ->> 'sendAt')::timestamptz,
        ${scheduledJobKey(sql`r.email_id`)}
      from recipient r join message m on m.request = r.request where ${isLater('m')}`,
    )}
    ),
    tagged as (
      insert into email_tags (project_id, name, value, id)
      select m.project_id, tag.key, tag.value, r.email_id
      from recipient r join message m on m.request = r.request cross join jsonb_each_text(m.options -> 'tags') as tag
      where m.options ? 'tags'
    )`

/** Deletes the tags of the emails that `emails` selects: project_id, id, tags. */
export const deleteTagsStep = (emails: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      delete from email_tags t using (${emails}) as gone cross join jsonb_each_text(gone.tags) as tag
      where t.project_id = gone.project_id and t.name = tag.key and t.value = tag.value and t.id = gone.id`

/** Deletes those of emails with smaller ids that no longer exist. By project, as the index begins. */
export const deleteTagsBeforeStep = (end: string): RawBuilder<unknown> => sql`
  delete from email_tags t using projects
  where t.project_id = projects.id and t.id < ${end}::uuid and not exists (
    select from emails e where e.project_id = t.project_id and e.id = t.id)`
