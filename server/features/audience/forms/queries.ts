/** SQL on forms and their numbers. Submissions are in `signup-queries.ts`. */
import type { Selectable } from 'kysely'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { DayRange } from '../../../kernel/time-range.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Forms } from '../../../platform/database/tables.ts'
import type { FormField } from './fields.ts'

export interface Captcha {
  provider: 'turnstile' | 'hcaptcha' | 'friendly-captcha'
  siteKey: string
  endpoint: string | null
}

export type FormRow = Omit<Selectable<Forms>, 'fields' | 'captcha'> & { fields: FormField[]; captcha: Captcha | null }

export type FormFields = Omit<FormRow, 'project_id' | 'id' | 'created_at' | 'updated_at'>

export interface Counts {
  shown: number
  submitted: number
  confirmed: number
  spam: number
}

/** With `fields` and `captcha` as JSON. */
const stored = <F extends Partial<FormFields>>({ fields, captcha, ...same }: F) => ({
  ...same,
  ...(fields && { fields: JSON.stringify(fields) }),
  ...(captcha !== undefined && { captcha: captcha && JSON.stringify(captcha) }),
})

export async function listForms(
  db: Database,
  projectId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<FormRow[]> {
  let query = db.selectFrom('forms').selectAll().where('project_id', '=', projectId)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows as unknown as FormRow[]
}

export async function countForms(db: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-forms */
    select count(*) as count from forms where project_id = ${projectId}`.execute(db)
  return rows[0]!.count
}

export async function findForm(
  db: Database | Tx,
  projectId: string,
  id: string,
  lock?: 'change',
): Promise<FormRow | undefined> {
  const query = db.selectFrom('forms').selectAll().where('project_id', '=', projectId).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  return row as unknown as FormRow | undefined
}

/** Which of these keys belong to topics. They can't be deleted until the transaction ends. */
export async function useTopics(tx: Tx, projectId: string, keys: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('topics')
    .select('key')
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ key }) => key)
}

export async function insertForm(
  tx: Tx,
  projectId: string,
  id: string,
  fields: FormFields,
  now: Date,
): Promise<FormRow> {
  const row = await tx
    .insertInto('forms')
    .values({ project_id: projectId, id, ...stored(fields), created_at: now, updated_at: now } as never)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as unknown as FormRow
}

export async function updateForm(
  tx: Tx,
  projectId: string,
  id: string,
  fields: Partial<FormFields>,
  now: Date,
): Promise<FormRow> {
  const row = await tx
    .updateTable('forms')
    .set({ ...stored(fields), updated_at: changedAt(now) } as never)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as unknown as FormRow
}

export async function deleteForm(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('forms').where('project_id', '=', projectId).where('id', '=', id).execute()
}

/** A topic that a form has, with what its page shows of it. */
export interface FormTopic {
  key: string
  number: number
  name: string
  description: string | null
  defaultSubscribed: boolean
}

export interface PublicForm extends FormRow {
  project_name: string
  project_language: string
  branding: Branding
  confirms: boolean
  offered: FormTopic[]
}

const OFFERED = sql`coalesce((
        select jsonb_agg(jsonb_build_object('key', t.key, 'number', t.number, 'name', t.name, 'description', t.description,
          'defaultSubscribed', t.default_subscribed) order by array_position(f.topics, t.key))
        from topics t where t.project_id = f.project_id and t.key = any(f.topics)), '[]') as offered`

const OF_PROJECT = sql`p.name as project_name, p.language as project_language, p.branding,
      coalesce(f.double_opt_in, (p.double_opt_in ->> 'enabled')::boolean, false) as confirms`

/** Anyone can open a form by its ID. Undefined if it is disabled, or its project is. */
export async function findPublicForms(db: Database, ids: string[]): Promise<Array<PublicForm | undefined>> {
  const { rows } = await sql<PublicForm>`/* find-public-forms */
    select f.*, ${OF_PROJECT}, ${OFFERED}
    from forms f join projects p on p.id = f.project_id
    where f.id = any(${[...new Set(ids)]}::uuid[]) and f.enabled and p.disabled_at is null`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id.toLowerCase()))
}

/** A form as its visitors see it, even if it is disabled or not saved. */
export async function asPublicForm(db: Database, form: FormRow): Promise<PublicForm> {
  const { rows } = await sql<Omit<PublicForm, keyof FormRow>>`/* as-public-form */
    select ${OF_PROJECT}, ${OFFERED}
    from projects p cross join (
      select ${form.project_id}::uuid as project_id, ${form.topics}::text[] as topics, ${form.double_opt_in}::boolean as double_opt_in
    ) as f where p.id = f.project_id`.execute(db)
  return { ...form, ...rows[0]! }
}

/** The counts of these forms since they were created. */
export async function sumCounts(db: Database | Tx, projectId: string, formIds: string[]): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts & { form_id: string }>`/* sum-form-counts */
    select form_id, sum(shown)::int as shown, sum(submitted)::int as submitted, sum(confirmed)::int as confirmed, sum(spam)::int as spam
    from form_days where project_id = ${projectId} and form_id = any(${formIds}::uuid[]) group by form_id`.execute(db)
  return new Map(rows.map(({ form_id, ...counts }) => [form_id, counts]))
}

/** One row for each day, also for days without numbers. */
export async function listDays(
  db: Database,
  projectId: string,
  formId: string,
  { first, last }: DayRange,
): Promise<Array<Counts & { day: string }>> {
  const { rows } = await sql<Counts & { day: string }>`/* list-form-days */
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(n.shown, 0) as shown, coalesce(n.submitted, 0) as submitted,
      coalesce(n.confirmed, 0) as confirmed, coalesce(n.spam, 0) as spam
    from generate_series(${first}::date, ${last}::date, interval '1 day') as days(day)
    left join form_days n on n.project_id = ${projectId} and n.form_id = ${formId} and n.day = days.day::date
    order by days.day`.execute(db)
  return rows
}

export interface Count {
  projectId: string
  formId: string
  name: keyof Counts
  day: string
}

/** Adds one for each of these. Those of forms that were deleted are skipped. */
export async function addCounts(db: Database | Tx, counts: Count[]): Promise<void> {
  await sql`/* add-form-counts */
    insert into form_days as n (project_id, form_id, day, shown, submitted, confirmed, spam)
    select c.project_id, c.form_id, c.day, count(*) filter (where c.name = 'shown'), count(*) filter (where c.name = 'submitted'),
      count(*) filter (where c.name = 'confirmed'), count(*) filter (where c.name = 'spam')
    from unnest(${counts.map((c) => c.projectId)}::uuid[], ${counts.map((c) => c.formId)}::uuid[], ${counts.map((c) => c.name)}::text[],
      ${counts.map((c) => c.day)}::date[]) as c(project_id, form_id, name, day)
    where exists (select from forms f where f.project_id = c.project_id and f.id = c.form_id)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (project_id, form_id, day) do update set shown = n.shown + excluded.shown, submitted = n.submitted + excluded.submitted,
      confirmed = n.confirmed + excluded.confirmed, spam = n.spam + excluded.spam`.execute(db)
}
