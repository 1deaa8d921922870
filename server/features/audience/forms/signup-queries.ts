/** SQL of submissions: the contact of an address, storing what was submitted, spam, and confirmations that are awaited. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { findObjection } from '../consents/queries.ts'
import { type ContactUpsert, upsertContact } from '../contacts/queries.ts'
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

export async function findAddressState(db: Database, projectId: string, email: string): Promise<AddressState> {
  const { rows } = await sql<AddressState>`/* find-address-state */
    select ${isSuppressedSql(projectId, sql`${email}::text`)} as is_refused, (
      select jsonb_build_object('id', c.id, 'subscribed', c.subscribed, 'opted_out', c.opted_out, 'pending', c.pending)
      from contacts c where c.project_id = ${projectId} and c.email = ${email}) as contact`.execute(db)
  const state = rows[0]!
  if (state.contact || state.is_refused) return state
  return { ...state, is_refused: (await findObjection(db, projectId, email)) !== undefined }
}

/** Creates or changes the contact, and records the event of the form if it has one. Returns the ID of the contact. */
export async function storeSignup(
  tx: Tx,
  upsert: ContactUpsert,
  event: Omit<EventToRecord, 'upsert' | 'idempotencyKey'> | undefined,
): Promise<string> {
  if (!event) return (await upsertContact(tx, upsert, true)).id
  const [contactId] = await trackEvents(tx, [{ upsert, ...event, idempotencyKey: undefined }])
  return contactId!
}

export interface Signup {
  projectId: string
  formId: string
  contactId: string
}

/** Until the contact confirms. */
export async function awaitConfirmation(tx: Tx, { projectId, formId, contactId }: Signup, now: Date): Promise<void> {
  await sql`/* await-form-confirmation */
    insert into form_signups (project_id, contact_id, form_id, requested_at)
    select ${projectId}, ${contactId}, id, ${now}::timestamptz from forms where project_id = ${projectId} and id = ${formId} for key share
    on conflict (project_id, contact_id, form_id) do update set requested_at = excluded.requested_at`.execute(tx)
}

/** Returns the forms whose confirmation the contact has given, each once. */
export async function takeConfirmed(tx: Tx, projectId: string, contactId: string): Promise<string[]> {
  const { rows } = await sql<{ form_id: string }>`/* take-confirmed-forms */
    delete from form_signups where project_id = ${projectId} and contact_id = ${contactId} returning form_id`.execute(
    tx,
  )
  return rows.map((row) => row.form_id)
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
