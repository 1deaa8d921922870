/** The statement of POST /v1/send, for one request or many. */
import type { RawBuilder } from 'kysely'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { completeIdempotencyKeys, type IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { excludedFromMarketingSql } from '../../audience/contacts/marketing-queries.ts'
import {
  type ContactUpsert,
  hasTopics,
  lockTimeoutStep,
  peopleStep,
  writePeopleSteps,
} from '../../audience/contacts/queries.ts'
import { isSuppressedForTopicSql, isSuppressedSql } from '../../audience/suppressions/queries.ts'
import { isVerifiedSql } from '../../tenants/domains/queries.ts'
import {
  hasOptions,
  isCounted,
  isLater,
  optionSteps,
  optionsOf,
  originColumns,
  type SendOptions,
  withOptions,
} from './option-queries.ts'
import { type EmailContent, type EmailEnvelope, messageRows, outboxSteps, storedMessage } from './queries.ts'

export interface Recipient {
  emailId: string
  email: string
  name: string | null
}

/** One request to send: its contacts, one content, and an email for each recipient. */
export interface EmailsToAccept {
  upsert: ContactUpsert
  content: EmailContent
  envelope: EmailEnvelope & {
    /** The domain of the sender's address, as domains are stored. */
    fromDomain: string
    /** Keys that were sent as empty strings: they apply if the contact's data has no value. */
    blanks?: Record<string, ''>
  }
  recipients: Recipient[]
  origin: { via: 'api' | 'smtp' | 'dashboard'; keyId: string | null }
  options: SendOptions
  idempotencyKey: IdempotencyClaim | undefined
  /** The priority of the delivery; see PRIORITY. */
  priority: number
  /** The trace of the request, if it has one. */
  traceparent?: string | undefined
}

export type Acceptance =
  | { accepted: Array<{ emailId: string; contactId: string; email: string }> }
  /** Nothing was written: the sender's domain is not verified, or this is marketing email to contacts who opted out. */
  | { unverified: true }
  | { optedOut: string[] }
  /** The project's monthly limit, if this would exceed it. */
  | { overLimit: number }

interface OutcomeRow {
  request: number
  email_id: string | null
  contact_id: string | null
  /** If there is neither an address nor a limit, the sender was refused. */
  email: string | null
  max: number | null
}

/** If an email is sent later, the contact's data is added when it is sent. */
const DATA = sql`m.blanks || contact.data`

/**
 * For each request: upserts the contacts, writes one email each, enqueues its delivery and completes the request's
 * idempotency key, all or nothing. All requests take one round trip; an error in one does not affect the others. They
 * have the same priority.
 */
export async function insertEmails(
  db: Database | Tx,
  secrets: ContentEncryption,
  requests: EmailsToAccept[],
  /** The requests are of several callers, so that none waits long for the contacts of another. */
  { isShared }: { isShared: boolean } = { isShared: requests.length > 1 },
): Promise<Acceptance[]> {
  const messages = requests.map(({ upsert: { projectId, now }, content, envelope }) =>
    storedMessage(secrets, { projectId, now, content, envelope }),
  )
  const options = requests.map((r) => r.options)
  const upserts = requests.map(({ upsert }) => upsert)
  const isAboutTopics = hasTopics(upserts) || requests.some(({ content }) => content.topic != null)
  // Most requests have neither options nor a trace; with parts for them, their statement would take 5% longer.
  const isPlain = !isAboutTopics && !requests.some((r) => r.traceparent !== undefined || hasOptions(r.options))
  const { rows } =
    await sql<OutcomeRow>`${sql.raw(isPlain ? '/* insert-emails */' : '/* insert-emails-with-options */')}
    with ${lockTimeoutStep(isShared)},
    request as (
      select *, (${requests.map((r) => r.recipients.length)}::int[])[request] as emails,
        (${requests.map((r) => r.envelope.fromDomain)}::text[])[request] as from_domain,
        (${requests.map((r) => JSON.stringify(r.envelope.blanks ?? {}))}::jsonb[])[request] as blanks,
        (${requests.map((r) => r.origin.via)}::text[])[request] as via, (${requests.map((r) => r.origin.keyId)}::uuid[])[request] as key_id,
        (${requests.map((r) => r.idempotencyKey?.key ?? null)}::text[])[request] as idempotency_key,
        (${requests.map((r) => r.idempotencyKey?.id ?? null)}::uuid[])[request] as claim_id,
        (${requests.map((r) => r.idempotencyKey?.fingerprint ?? null)}::bytea[])[request] as fingerprint
        ${isPlain ? sql`` : optionsOf(options)}
      from ${messageRows(messages)}
    ),
    ${peopleStep(upserts, !isPlain)},
    unverified as (
      select request from request where not ${isVerifiedSql(sql`request.project_id`, sql`request.from_domain`)}
    ),
    opted_out as (
      select request.request, person.email from request join person on person.request = request.request
      ${isPlain ? sql`` : TOPIC}
      left join lateral (
        select * from contacts where contacts.project_id = request.project_id and contacts.email = person.email limit 1
      ) as known on true
      cross join lateral (select ${readerColumns(!isPlain)}) as reader
      where (request.type = 'MARKETING' ${isPlain ? sql`` : sql`or (request.type = 'HEADLESS' and topic.number is not null)`})
        and (${excludedFromMarketingSql('reader', {
          by: 'request',
          topic: isPlain ? undefined : { number: sql`topic.number`, isDefault: sql`topic.default_subscribed` },
          now: sql`request.asked_at`,
        })} or ${isSuppressedSql(sql`request.project_id`, sql`person.email`)}
          ${isPlain ? sql`` : sql`or ${isSuppressedForTopicSql(sql`request.project_id`, sql`person.email`, sql`topic.number`)}`})
    ),
    accepted as (
      select * from request where (select true from lock_timeout_set)
        and request not in (select request from unverified) and request not in (select request from opted_out)
    ),
    ${outboxSteps({
      source: 'TRANSACTIONAL',
      limit: {
        source: 'transactional',
        cost: sql`select project_id, request, emails, asked_at from accepted ${isPlain ? sql`` : sql`where ${isCounted('accepted')}`}`,
      },
      rows: sql`
    message as (select * from accepted where request not in (select request from over_limit)),
    ${writePeopleSteps(sql`request in (select request from message)`, !isPlain)},
    recipient as (
      select r.request, r.position, r.email_id, contact.id as contact_id, r.to_email, r.to_name,
        ${isPlain ? DATA : sql`case when ${isLater('m')} then m.blanks else ${DATA} end`} as contact_data
      from ${recipientRows(requests)} join message m on m.request = r.request
      join contact on contact.project_id = m.project_id and contact.email = r.to_email
    )`,
      content: messages,
      more: isPlain ? originColumns : withOptions(originColumns),
      job: {
        each: 'deliver-email',
        priority: requests[0]!.priority,
        traceparents: isPlain ? undefined : requests.map((r) => r.traceparent ?? null),
      },
    })},
    ${isPlain ? sql`` : sql`${optionSteps},`}
    completed as (${completeIdempotencyKeys(replies)})
    select request, email_id, contact_id, email, max from (
      select request, position, email_id, contact_id, to_email as email, null::bigint as max from recipient
      union all
      select request, 0, null, null, null, null from unverified
      union all
      select request, 0, null, null, email, null from opted_out where request not in (select request from unverified)
      union all
      select request, 0, null, null, null, max from over_limit
    ) as outcome
    order by request, position`.execute(db)
  return outcomesOf(requests.length, rows)
}

/** The topic of the request's emails, if it exists. */
const TOPIC = sql`left join topics as topic on topic.project_id = request.project_id and topic.number = request.topic`

/** The contact as it will be after the request. */
const readerColumns = (withTopics: boolean): RawBuilder<unknown> => sql`
        coalesce(known.opted_out, false) and person.subscribed is not true as opted_out,
        coalesce(known.pending, false) and person.subscribed is not true as pending, known.paused_until
        ${
          withTopics
            ? sql`, coalesce(person.subscribed, known.subscribed, person.subscribed_if_new) as subscribed,
        person.decisions || array(
          select decided from unnest(known.topics) as decided where not person.decisions && array[decided, -decided]) as topics`
            : sql``
        }`

function recipientRows(requests: EmailsToAccept[]): RawBuilder<unknown> {
  const recipients = requests.flatMap((r, i) => r.recipients.map((recipient) => ({ ...recipient, request: i + 1 })))
  return sql`
      unnest(
        ${recipients.map((r) => r.request)}::int[], ${recipients.map((r) => r.emailId)}::uuid[],
        ${recipients.map((r) => r.email)}::text[], ${recipients.map((r) => r.name)}::text[]
      ) with ordinality as r(request, email_id, to_email, to_name, position)`
}

/** The `data` of the response to each request with an idempotency key. */
const replies = sql`
    select m.project_id, m.idempotency_key, m.claim_id, jsonb_build_object(
      'timestamp', to_char(m.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'emails', (
        select jsonb_agg(jsonb_build_object('email', r.email_id,
          'contact', jsonb_build_object('id', r.contact_id, 'email', r.to_email)) order by r.position)
        from recipient r where r.request = m.request
      )), m.fingerprint
    from message m where m.idempotency_key is not null`

function outcomesOf(requests: number, rows: OutcomeRow[]): Acceptance[] {
  const byRequest = Array.from({ length: requests }, (): OutcomeRow[] => [])
  for (const row of rows) byRequest[row.request - 1]!.push(row)
  return byRequest.map((own): Acceptance => {
    if (own[0]!.max !== null) return { overLimit: own[0]!.max }
    if (own[0]!.email === null) return { unverified: true }
    if (own[0]!.email_id === null) return { optedOut: own.map((row) => row.email!) }
    return {
      accepted: own.map((row) => ({ emailId: row.email_id!, contactId: row.contact_id!, email: row.email! })),
    }
  })
}

/** For a request of several statements: completes its key in their transaction. */
export async function completeKey(tx: Tx, projectId: string, claim: IdempotencyClaim, response: object): Promise<void> {
  await sql`
    ${completeIdempotencyKeys(sql`
      select ${projectId}::uuid, ${claim.key}::text, ${claim.id}::uuid, ${JSON.stringify(response)}::jsonb,
        ${claim.fingerprint ?? null}::bytea`)}`.execute(tx)
}
