/**
 * All SQL on contact jobs and on large numbers of contacts: imports, bulk changes and exports. The worker that advances
 * a job locks its row, in the same transaction as the contacts.
 */
import type { RawBuilder, Selectable } from 'kysely'
import type { Condition } from '../../../kernel/conditions/condition.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { CONTACT_BYTES_MAX } from '../../../kernel/contact-data.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { ContactJobs } from '../../../platform/database/tables.ts'
import { addJobSql } from '../../../platform/queue/job-table.ts'
import { announce, otherFacts } from '../../record/journal/queries.ts'
import { type ContactRow, type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import type { ImportLayout } from './layout.ts'
import type { ImportResult } from './rows.ts'

export const TARGETED_TYPES = ['BULK_ADD_TO_SEGMENT', 'BULK_SET_TOPICS', 'BULK_START_WORKFLOW'] as const
export type ContactJobType =
  | 'IMPORT'
  | 'BULK_SUBSCRIBE'
  | 'BULK_UNSUBSCRIBE'
  | 'BULK_DELETE'
  | (typeof TARGETED_TYPES)[number]

/** What a bulk change is about. */
export type BulkTarget = { segmentId: string } | { topics: Record<string, boolean> } | { workflowId: string }
export type ContactJobStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'

export interface JobRef {
  projectId: string
  jobId: string
}

export type ContactJobRow = Pick<Selectable<ContactJobs>, 'id' | 'progress' | 'error' | 'created_at' | 'updated_at'> & {
  type: ContactJobType
  status: ContactJobStatus
  result: unknown
} & Pick<
    Selectable<ContactJobs>,
    'confirmations_per_hour' | 'confirmations_total' | 'confirmations_sent' | 'confirmations_skipped'
  >

export interface NewJob extends JobRef {
  type: ContactJobType
  now: Date
  /** The offset of an import's first contact, and the number of rows before it. */
  start?: ImportPlace
  file?: Buffer
  layout?: ImportLayout
  contactIds?: string[] | undefined
  condition?: Condition | undefined
  keepSuppressions?: boolean
  target?: BulkTarget | undefined
  /** Set for an import that asks contacts to confirm. */
  confirmationsPerHour?: number | undefined
  cause: ConsentCause
}

export interface BulkInput {
  type: ContactJobType
  contact_ids: string[] | null
  condition: Condition | null
  keep_suppressions: boolean
  target: BulkTarget | null
  /** Empty for a job that a process of an earlier version added. */
  cause: ConsentCause | null
  /** The last contact of the previous part, if the change has a condition. */
  last_contact_id: string | null
  result: BulkResult | null
}

export interface BulkResult {
  totalRequested: number
  successCount: number
  /** Unchanged, or named twice. */
  unchangedCount: number
  failureCount: number
  errors: Array<{ contactId: string; error: string }>
}

/** A process of an earlier version would unsubscribe the contacts of a job with a target. */
const queueJobOf = ({ type, target }: NewJob) =>
  type === 'IMPORT' ? 'import-contacts' : target ? 'change-contacts-for-target' : 'change-contacts'

/** Inserts the job, its input and its queue entry, all or nothing. */
export async function insertJob(db: Database, job: NewJob): Promise<void> {
  const payload = sql`json_build_object('projectId', ${job.projectId}::text, 'jobId', ${job.jobId}::text)`
  await sql`
    with job as (
      insert into contact_jobs (project_id, id, type, bytes_done, rows_done, cause, confirmations_per_hour, created_at, updated_at)
      values (${job.projectId}, ${job.jobId}, ${job.type}, ${job.start?.bytes ?? 0}, ${job.start?.rows ?? 0}, ${JSON.stringify(job.cause)}::jsonb, ${job.confirmationsPerHour ?? null}, ${job.now}, ${job.now})
      returning id
    ), input as (
      insert into contact_job_inputs (project_id, job_id, file, layout, contact_ids, condition, keep_suppressions, target)
      values (${job.projectId}, ${job.jobId}, ${job.file ?? null}, ${job.layout ? JSON.stringify(job.layout) : null}::jsonb,
        ${job.contactIds ?? null}::uuid[], ${job.condition ? JSON.stringify(job.condition) : null}::jsonb, ${job.keepSuppressions ?? false},
        ${job.target ? JSON.stringify(job.target) : null}::jsonb)
    )
    select ${addJobSql(queueJobOf(job), payload)} from job`.execute(db)
}

export async function findJob(db: Database, { projectId, jobId }: JobRef): Promise<ContactJobRow | undefined> {
  const { rows } = await sql<ContactJobRow>`/* find-contact-job */
    select id, type, status, progress, result, error, created_at, updated_at, confirmations_per_hour, confirmations_total, confirmations_sent, confirmations_skipped
    from contact_jobs where project_id = ${projectId} and id = ${jobId}`.execute(db)
  return rows[0]
}

/** Marks an open job as running and returns whether its project is disabled. Undefined for a job that is done. */
export async function startJob(
  db: Database,
  { projectId, jobId }: JobRef,
  now: Date,
): Promise<{ disabled: boolean } | undefined> {
  const { rows } = await sql<{ disabled: boolean }>`/* start-contact-job */
    with started as (
      update contact_jobs set status = 'PROCESSING', updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${jobId} and status = 'PENDING'
        and exists (select from projects where id = ${projectId} and disabled_at is null)
    )
    select p.disabled_at is not null as disabled
    from contact_jobs j join projects p on p.id = j.project_id
    where j.project_id = ${projectId} and j.id = ${jobId} and j.status in ('PENDING', 'PROCESSING')`.execute(db)
  return rows[0]
}

/** Completes an open job and deletes its input. */
export async function endJob(
  db: Database | Tx,
  { projectId, jobId }: JobRef,
  outcome: { status: 'COMPLETED'; result: unknown } | { status: 'FAILED'; error: string },
  now: Date,
): Promise<void> {
  const { result = null, error = null } = { ...outcome } as { result?: unknown; error?: string }
  await sql`/* end-contact-job */
    with gone as (
      delete from contact_job_inputs where project_id = ${projectId} and job_id = ${jobId}
    ), ended as (
      update contact_jobs set status = ${outcome.status}, error = ${error}::text, updated_at = ${now}::timestamptz,
      progress = case when ${outcome.status} = 'COMPLETED' then 100 else progress end,
      result = coalesce(${result === null ? null : JSON.stringify(result)}::jsonb, result)
      where project_id = ${projectId} and id = ${jobId} and status in ('PENDING', 'PROCESSING')
      returning *
    ), ${announce(
      'announced',
      sql`
      select j.project_id, 'import.completed', null::uuid, ${otherFacts(
        sql`jsonb_build_object('jobId', j.id, 'status', j.status, 'error', j.error) || coalesce(j.result, '{}') - 'errors'`,
      )}, ${now}::timestamptz
      from ended j where j.type = 'IMPORT'`,
    )}
    select 1`.execute(db)
}

export async function deleteJobs(db: Database, before: Date): Promise<void> {
  await sql`delete from contact_jobs where updated_at < ${before}`.execute(db)
}

/** The progress of an import, by its position in the file. */
export interface ImportPlace {
  bytes: number
  rows: number
}

export interface ImportStep {
  from: ImportPlace
  layout: ImportLayout
  /** Contacts are asked to confirm instead of being subscribed. */
  confirms: boolean
  file_bytes: number
  window: Buffer
}

/** A part of an open import's file, at an offset or at the job's position. */
export async function readImport(
  db: Database,
  { projectId, jobId }: JobRef,
  windowBytes: number,
  place?: ImportPlace,
): Promise<ImportStep | undefined> {
  const { rows } = await sql<Omit<ImportStep, 'from'> & ImportPlace>`/* read-import */
    select place.bytes, place.rows, i.layout, j.confirmations_per_hour is not null as confirms, octet_length(i.file) as file_bytes,
      substring(i.file from place.bytes + 1 for ${windowBytes}::int) as window
    from contact_jobs j
    join contact_job_inputs i on i.project_id = j.project_id and i.job_id = j.id
    cross join lateral (
      select coalesce(${place?.bytes ?? null}::int, j.bytes_done) as bytes, coalesce(${place?.rows ?? null}::int, j.rows_done) as rows
    ) place
    where j.project_id = ${projectId} and j.id = ${jobId} and j.status in ('PENDING', 'PROCESSING')`.execute(db)
  const row = rows[0]
  return row && { ...row, from: { bytes: row.bytes, rows: row.rows } }
}

interface LockedImport {
  result: ImportResult | null
  /** Empty for a job that a process of an earlier version added. */
  cause: ConsentCause | null
}

/** Locks an open import if its position is unchanged. Otherwise another worker has advanced it. */
export async function lockImport(
  tx: Tx,
  { projectId, jobId }: JobRef,
  place: ImportPlace,
): Promise<LockedImport | undefined> {
  const { rows } = await sql<LockedImport>`/* lock-import */
    select result, cause from contact_jobs
    where project_id = ${projectId} and id = ${jobId} and bytes_done = ${place.bytes} and status in ('PENDING', 'PROCESSING')
    for update`.execute(tx)
  return rows[0]
}

export async function findContactsByEmail(
  tx: Tx,
  projectId: string,
  emails: string[],
): Promise<Array<Pick<ContactRow, 'email' | 'subscribed' | 'data'> & { topics: number[] }>> {
  const { rows } = await sql<Pick<ContactRow, 'email' | 'subscribed' | 'data'> & { topics: number[] }>`
    select email, subscribed, data, topics from contacts
    where project_id = ${projectId} and email = any(${emails}::text[])`.execute(tx)
  return rows
}

/** The addresses whose contacts would exceed the limit of their data. */
export async function findTooLarge(
  db: Database,
  projectId: string,
  people: Array<{ email: string; patch: Record<string, unknown> }>,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select c.email
    from unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => JSON.stringify(p.patch))}::jsonb[]) as p(email, patch)
    join contacts c on c.project_id = ${projectId} and c.email = p.email
    where octet_length((c.data || p.patch)::text) > ${CONTACT_BYTES_MAX}`.execute(db)
  return rows.map((row) => row.email)
}

export interface ComparedRow {
  email: string
  /** What earlier rows of the file set, and what this one sets. */
  before: Record<string, unknown>
  patch: Record<string, unknown>
}

export interface Comparison {
  exists: boolean
  subscribed: boolean | null
  topics: number[] | null
  has_same_data: boolean
  is_too_large: boolean
}

/** For each row, the contact with its address. Not prepared, so that it is planned for the actual number of rows. */
export async function compareRows(db: Database, projectId: string, compared: ComparedRow[]): Promise<Comparison[]> {
  const json = (key: 'before' | 'patch') => compared.map((row) => JSON.stringify(row[key]))
  const { rows } = await sql<Comparison>`
    select c.id is not null as exists, c.subscribed, c.topics, stored.data || p.patch = stored.data as has_same_data,
      c.id is not null and octet_length((stored.data || p.patch)::text) > ${CONTACT_BYTES_MAX} as is_too_large
    from unnest(${compared.map(({ email }) => email)}::text[], ${json('before')}::jsonb[], ${json('patch')}::jsonb[])
      with ordinality as p(email, before, patch, position)
    left join contacts c on c.project_id = ${projectId} and c.email = p.email
    cross join lateral (select coalesce(c.data, '{}') || p.before as data) as stored
    order by p.position`.execute(db)
  return rows
}

/** Not prepared, so that it is planned for the actual number of contacts: a plan for a few is slow for thousands. */
export async function upsertPeople(
  tx: Tx,
  upsert: ContactUpsert,
): Promise<Array<{ email: string; is_new: boolean; changed: boolean }>> {
  const { rows } = await sql<{ email: string; is_new: boolean; changed: boolean }>`
    with ${upsertContactSteps(upsert)}
    select email, is_new, changed from contact`.execute(tx)
  return rows
}

export async function moveImport(
  tx: Tx,
  { projectId, jobId }: JobRef,
  to: ImportPlace,
  { progress, result }: { progress: number; result: ImportResult },
  now: Date,
): Promise<void> {
  await sql`/* move-import */
    update contact_jobs set status = 'PROCESSING', bytes_done = ${to.bytes}, rows_done = ${to.rows},
      progress = ${progress}, result = ${JSON.stringify(result)}::jsonb, updated_at = ${now}::timestamptz
    where project_id = ${projectId} and id = ${jobId}`.execute(tx)
}

/** Locks an open bulk job and returns its input. */
export async function lockBulkJob(tx: Tx, { projectId, jobId }: JobRef): Promise<BulkInput | undefined> {
  const { rows } = await sql<BulkInput>`/* lock-bulk-job */
    select j.type, j.result, j.last_contact_id, j.cause, i.contact_ids, i.condition, i.keep_suppressions, i.target
    from contact_jobs j join contact_job_inputs i on i.project_id = j.project_id and i.job_id = j.id
    where j.project_id = ${projectId} and j.id = ${jobId} and j.status in ('PENDING', 'PROCESSING')
    for update of j`.execute(tx)
  return rows[0]
}

/** Records that a part of a bulk change with a condition is done. */
export async function moveBulkJob(
  tx: Tx,
  { projectId, jobId }: JobRef,
  done: { lastContactId: string; progress: number; result: BulkResult },
  now: Date,
): Promise<void> {
  await sql`/* move-bulk-job */
    update contact_jobs set status = 'PROCESSING', last_contact_id = ${done.lastContactId}, progress = ${done.progress},
      result = ${JSON.stringify(done.result)}::jsonb, updated_at = ${now}::timestamptz
    where project_id = ${projectId} and id = ${jobId}`.execute(tx)
}

const STORED_BYTES_MAX = 1024 * 1024

export type ImportedPerson = ContactUpsert['people'][number]

export type ExportedContact = ContactRow & { topics: number[] }

/** The next contacts after a given one, oldest first; fewer if their data is large, to limit memory. */
export async function listContactsAfter(
  db: Database,
  projectId: string,
  after: string | undefined,
  limit: number,
): Promise<ExportedContact[]> {
  const later: RawBuilder<unknown> = after === undefined ? sql`true` : sql`id > ${after}::uuid`
  const { rows } = await sql<ExportedContact>`
    with next as (
      select id, email, subscribed, topics, paused_until, data, created_at, updated_at, pg_column_size(data) as size
      from contacts where project_id = ${projectId} and ${later} order by id limit ${limit}
    ), measured as (
      select *, sum(size) over (order by id) - size as before from next
    )
    select id, email, subscribed, topics, paused_until, data, created_at, updated_at from measured
    where before < ${STORED_BYTES_MAX} order by id`.execute(db)
  return rows
}
