/** All SQL on templates. */
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Data, DataChange } from '../../../kernel/contact-data.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { EmailDocument } from '../../../kernel/content/email-document.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { resembling } from '../../../platform/database/like.ts'
import type { Tables, Templates } from '../../../platform/database/tables.ts'
import { compiledFrom, currentVersionStep, type VisualEmail, visualEmails } from '../documents/version-queries.ts'
import type { TemplateUser } from './usage.ts'

export type TemplateRow = Omit<Selectable<Templates>, 'document'> & { document: EmailDocument | null }

export type TemplateFields = Omit<
  TemplateRow,
  'project_id' | 'id' | 'last_used_at' | 'version' | 'created_at' | 'updated_at'
>

/** The JSON of a document, or null, or undefined if it isn't changed. */
const stored = <F extends Partial<TemplateFields>>(fields: F) => ({
  ...fields,
  ...(fields.document && { document: JSON.stringify(fields.document) }),
})

export async function insertTemplate(
  db: Database | Tx,
  projectId: string,
  id: string,
  fields: TemplateFields,
  now: Date,
): Promise<TemplateRow> {
  const row = await db
    .insertInto('templates')
    .values({ project_id: projectId, id, ...stored(fields), created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as TemplateRow
}

export async function findTemplate(db: Database, projectId: string, id: string): Promise<TemplateRow | undefined> {
  const row = await db
    .selectFrom('templates')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row as TemplateRow | undefined
}

/** The number of the template's topic, if it has one. */
const TOPIC_NUMBER = sql<number | null>`(
  select number from topics where topics.project_id = templates.project_id and topics.id = templates.topic_id)`

/**
 * What sending needs, without the document and the MJML, which can be as large again. Of several with the same name, the
 * one that was changed last.
 */
export async function findSendable(db: Database, projectId: string, ref: string | { name: string }) {
  const query = db
    .selectFrom('templates')
    .select(['id', 'subject', 'body', 'plain as text', 'preheader', 'type', TOPIC_NUMBER.as('topic')])
    .select(['from_email as from', 'from_name as fromName', 'reply_to as replyTo'])
    .where('project_id', '=', projectId)
  return typeof ref === 'string'
    ? query.where('id', '=', ref).executeTakeFirst()
    : query.where('name', '=', ref.name).orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** Sets the fields that are given. */
export async function updateTemplate(
  db: Tx,
  projectId: string,
  id: string,
  fields: Partial<TemplateFields> & { version?: number },
  now: Date,
): Promise<TemplateRow | undefined> {
  const row = await db
    .updateTable('templates')
    .set({ ...stored(fields), updated_at: changedAt(now) })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row as TemplateRow | undefined
}

/** A page of visual templates in the order of IDs: all of a project, or those with a layout. */
export async function listVisualTemplates(
  db: Database,
  projectId: string,
  layoutId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<VisualEmail[]> {
  const { rows } = await sql<VisualEmail>`/* list-visual-templates */
    select id, document from templates
    where ${visualEmails(projectId, layoutId, after)}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Not an edit, so the time of the last change is kept. */
export async function saveCompiledTemplate(
  db: Database,
  projectId: string,
  template: VisualEmail,
  body: string,
): Promise<void> {
  await sql`/* save-compiled-template */
    with saved as (
      update templates set body = ${body} where ${compiledFrom(projectId, template, body)}
      returning id, version
    ) ${currentVersionStep('template', projectId, body)}`.execute(db)
}

/** Locks the template against new uses and other changes until the transaction ends. */
export async function lockTemplate(tx: Tx, projectId: string, id: string): Promise<TemplateRow | undefined> {
  const row = await tx
    .selectFrom('templates')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as TemplateRow | undefined
}

/** The oldest two templates of this name: enough to find out whether it is unique. */
export async function findNamesakes(db: Database | Tx, projectId: string, name: string): Promise<string[]> {
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .orderBy('id')
    .limit(2)
    .execute()
  return rows.map(({ id }) => id)
}

/** Until the transaction ends, no other one that locks the name adds a template of it. Returns those that exist. */
export async function lockName(tx: Tx, projectId: string, name: string): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`template:${projectId}:${name}`}, 0))`.execute(tx)
  return findNamesakes(tx, projectId, name)
}

export async function deleteTemplate(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('templates').where('project_id', '=', projectId).where('id', '=', id).execute()
}

/** What uses a template, oldest first: one select for each kind, joined by `union all`. */
export async function listUsers(db: Database | Tx, projectId: string, id: string): Promise<TemplateUser[]> {
  const { rows } = await sql<TemplateUser>`
    select kind, id, name, workflow_id, workflow_name, needs_it from (
      select 'workflow-step' as kind, s.id, s.name, w.id as workflow_id, w.name as workflow_name, true as needs_it
      from workflow_steps s join workflows w on w.project_id = s.project_id and w.id = s.workflow_id
      where s.project_id = ${projectId} and s.template_id = ${id}
      union all
      select 'campaign', c.id, c.name, null, null, c.status in ('DRAFT', 'SCHEDULED', 'SENDING')
      from campaigns c where c.project_id = ${projectId} and c.template_id = ${id}
    ) as users order by id`.execute(db)
  return rows
}

export interface TemplateFilter {
  type?: string | undefined
  search?: string | undefined
  tag?: string | undefined
}

const SORT_COLUMNS = {
  name: sql`lower(name)`,
  createdAt: sql`id`,
  updatedAt: sql`updated_at`,
  lastUsedAt: sql`coalesce(last_used_at, '-infinity')`,
}

export interface TemplateOrder {
  sort: keyof typeof SORT_COLUMNS
  dir: 'asc' | 'desc'
}

const matching =
  (projectId: string, { type, search, tag }: TemplateFilter) =>
  (eb: ExpressionBuilder<Tables, 'templates'>) =>
    eb.and([
      eb('project_id', '=', projectId),
      ...(type === undefined ? [] : [eb('type', '=', type)]),
      ...(tag ? [sql<boolean>`tags @> array[${tag}::text] and tags <> '{}'`] : []),
      ...(search
        ? [eb.or((['name', 'description', 'subject'] as const).map((c) => eb(c, '~', resembling(search))))]
        : []),
    ])

/** The ids of a page in order, with the size of their contents. */
export async function findPage(
  db: Database,
  projectId: string,
  query: TemplateFilter & TemplateOrder & { limit: number; offset: number },
): Promise<Array<{ id: string; bytes: number }>> {
  return db
    .selectFrom('templates')
    .select(['id', sql<number>`octet_length(concat(body, document, mjml))`.as('bytes')])
    .where(matching(projectId, query))
    .orderBy(SORT_COLUMNS[query.sort], query.dir)
    .orderBy('id', query.dir)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
}

export async function countTemplates(db: Database, projectId: string, filter: TemplateFilter): Promise<number> {
  const row = await db
    .selectFrom('templates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(matching(projectId, filter))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findTemplates(db: Database, projectId: string, ids: string[]): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select templates.* from unnest(${ids}::uuid[]) with ordinality as page(id, position)
    join templates on templates.project_id = ${projectId} and templates.id = page.id
    order by position`.execute(db)
  return rows
}

export interface PreviewData {
  /** Null if there is no such contact, or none was requested. */
  contact_id: string | null
  email: string | null
  contact_data: Data
  request_data: Data
  project_name: string
  language: string
  branding: Branding
}

/** The data as an email would freeze it: after merging in the database and with its order of keys. */
export async function readPreviewData(
  db: Database,
  projectId: string,
  contactId: string | undefined,
  { patch, removed, visible, blanks }: DataChange & { blanks: Record<string, ''> },
): Promise<PreviewData> {
  const { rows } = await sql<PreviewData>`
    select contacts.id as contact_id, contacts.email,
      change.blanks || ((coalesce(contacts.data, '{}') || change.patch) - change.removed) as contact_data, change.visible as request_data,
      projects.name as project_name, projects.language, projects.branding
    from projects cross join (
      select ${JSON.stringify(patch)}::jsonb as patch, ${removed}::text[] as removed, ${JSON.stringify(visible)}::jsonb as visible,
        ${JSON.stringify(blanks)}::jsonb as blanks
    ) as change
    left join contacts on contacts.project_id = ${projectId} and contacts.id = ${contactId ?? null}::uuid
    where projects.id = ${projectId}`.execute(db)
  return rows[0]!
}
