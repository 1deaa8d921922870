/** SQL of submissions: the contact of an address, storing what was submitted, spam, and confirmations that are awaited. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { objectedSql } from '../consents/queries.ts'
import { type ContactUpsert, lockTimeoutStep, upsertContacts } from '../contacts/queries.ts'
import { type EventToRecord, trackEvents } from '../events/queries.ts'
import { isSuppressedSql } from '../suppressions/queries.ts'

export interface KnownContact {
  id: string
  subscribed: boolean
  opted_out: boolean
  pending: boolean
}

export interface AddressState {
  contact: KnownContact | null
  /** Suppressed, or of an erased contact who had objected. */
  is_refused: boolean
}

export interface FormAddress {
  projectId: string
  email: string
}

/** In the order of the addresses. Contacts that exist are locked until the transaction ends, in order of address. */
export async function lockAddressStates(tx: Tx, addresses: FormAddress[]): Promise<AddressState[]> {
  const projectIds = sql`${addresses.map(({ projectId }) => projectId)}::uuid[]`
  const emails = sql`${addresses.map(({ email }) => email)}::text[]`
  const { rows } = await sql<AddressState>`/* lock-address-states */
    with ${lockTimeoutStep(addresses.length > 1)},
    given as (select * from unnest(${projectIds}, ${emails}) with ordinality as g(project_id, email, position)),
    known as materialized (
      select c.project_id, c.email, c.id, c.subscribed, c.opted_out, c.pending
      from given join contacts c on c.project_id = given.project_id and c.email = given.email
        and c.project_id = any(${projectIds}) and c.email = any(${emails})
      where (select true from lock_timeout_set) order by c.project_id, c.email for no key update of c
    )
    select case when known.id is not null then jsonb_build_object('id', known.id, 'subscribed', known.subscribed,
        'opted_out', known.opted_out, 'pending', known.pending) end as contact,
      ${isSuppressedSql(sql`given.project_id`, sql`given.email`)}
        or known.id is null and ${objectedSql(sql`given.project_id`, sql`given.email`)} as is_refused
    from given left join known on known.project_id = given.project_id and known.email = given.email
    order by given.position`.execute(tx)
  return rows
}

export interface SignupToStore {
  upsert: ContactUpsert
  /** If the form has one. */
  event: Omit<EventToRecord, 'upsert' | 'idempotencyKey'> | undefined
}

/** Creates or changes the contacts, and records the events of their forms. Returns the IDs of the contacts, in order. */
export async function storeSignups(tx: Tx, stored: SignupToStore[]): Promise<string[]> {
  const events = stored.flatMap(({ upsert, event }) => (event ? [{ upsert, ...event, idempotencyKey: undefined }] : []))
  const others = stored.flatMap(({ upsert, event }) => (event ? [] : [upsert]))
  const idsOfEvents = events.length > 0 ? await trackEvents(tx, events) : []
  const idsOfOthers = others.length > 0 ? await upsertContacts(tx, others) : []
  return stored.map(({ event }) => (event ? idsOfEvents : idsOfOthers).shift()!)
}

export interface Signup {
  projectId: string
  formId: string
  contactId: string
  /** The numbers of topics to subscribe the contact to. */
  topics: number[]
  now: Date
}

/** Until the contacts confirm. No contact may be named twice. Topics of earlier submissions are kept. */
export async function awaitConfirmations(tx: Tx, awaited: Signup[]): Promise<void> {
  await sql`/* await-form-confirmations */
    insert into form_signups as known (project_id, contact_id, form_id, requested_at, topics)
    select s.project_id, s.contact_id, f.id, s.requested_at, array(select jsonb_array_elements_text(s.topics)::int)
    from unnest(${awaited.map((s) => s.projectId)}::uuid[], ${awaited.map((s) => s.contactId)}::uuid[],
      ${awaited.map((s) => s.formId)}::uuid[], ${awaited.map((s) => s.now)}::timestamptz[],
      ${awaited.map((s) => JSON.stringify(s.topics))}::jsonb[]) as s(project_id, contact_id, form_id, requested_at, topics)
    join forms f on f.project_id = s.project_id and f.id = s.form_id for key share of f
    on conflict (project_id, contact_id, form_id) do update set requested_at = excluded.requested_at,
      topics = array(select unnest(known.topics) union select unnest(excluded.topics))`.execute(tx)
}

/** Returns the forms whose confirmation the contact has given, each once, with the topics that were chosen. */
export async function takeConfirmed(
  tx: Tx,
  projectId: string,
  contactId: string,
): Promise<Array<{ formId: string; topics: number[] }>> {
  const { rows } = await sql<{ formId: string; topics: number[] }>`/* take-confirmed-forms */
    delete from form_signups where project_id = ${projectId} and contact_id = ${contactId}
    returning form_id as "formId", topics`.execute(tx)
  return rows
}

export interface SpamRow {
  id: string
  reason: 'honeypot' | 'too-fast' | 'captcha'
  email: string | null
  ip: string | null
  user_agent: string | null
  created_at: Date
}

/** Unless the form has `most` of them already. */
export async function insertSpam(
  db: Database,
  projectId: string,
  formId: string,
  spam: SpamRow,
  most: number,
): Promise<void> {
  await sql`/* insert-form-spam */
    insert into form_spam (project_id, form_id, id, reason, email, ip, user_agent, created_at)
    select project_id, id, ${spam.id}, ${spam.reason}, ${spam.email}, ${spam.ip}, ${spam.user_agent}, ${spam.created_at}::timestamptz
    from forms where project_id = ${projectId} and id = ${formId} and (
      select count(*) from form_spam s where s.project_id = forms.project_id and s.form_id = forms.id) < ${most}`.execute(
    db,
  )
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listSpam(
  db: Database,
  projectId: string,
  formId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<SpamRow[]> {
  const { rows } = await sql<SpamRow>`/* list-form-spam */
    select id, reason, email, ip, user_agent, created_at from form_spam
    where project_id = ${projectId} and form_id = ${formId} and id < coalesce(${before ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countSpam(db: Database, projectId: string, formId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-form-spam */
    select count(*) as count from form_spam where project_id = ${projectId} and form_id = ${formId}`.execute(db)
  return rows[0]!.count
}

/** Deletes spam of all projects, in batches. */
export async function deleteSpamBefore(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-form-spam-before */
    delete from form_spam s using (
      select project_id, form_id, id from form_spam where created_at < ${before}::timestamptz order by created_at limit ${most}
    ) as old where s.project_id = old.project_id and s.form_id = old.form_id and s.id = old.id`.execute(db)
  return Number(numAffectedRows)
}

export async function deleteSignupsBefore(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-form-signups-before */
    delete from form_signups s using (
      select project_id, contact_id, form_id from form_signups where requested_at < ${before}::timestamptz order by requested_at limit ${most}
    ) as old where s.project_id = old.project_id and s.contact_id = old.contact_id and s.form_id = old.form_id`.execute(
    db,
  )
  return Number(numAffectedRows)
}

export async function eraseSignups(db: Database, projectId: string, contactIds: string[]): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-form-signups */
    delete from form_signups where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])`.execute(db)
  return Number(numAffectedRows)
}
