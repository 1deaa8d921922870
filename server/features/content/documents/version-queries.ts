/** SQL on the versions of templates and campaigns. */
import type { RawBuilder } from 'kysely'
import type { EmailDocument } from '../../../kernel/content/email-document.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

/** What a version belongs to. */
export interface VersionOwner {
  kind: 'template' | 'campaign'
  projectId: string
  id: string
}

/** What a version consists of. */
export interface VersionContent {
  subject: string
  plain: string | null
  preheader: string | null
  body: string
  document: EmailDocument | null
  mjml: string | null
}

export interface VersionFacts {
  number: number
  name: string | null
  actor_kind: 'USER' | 'KEY' | 'SYSTEM'
  actor_user_id: string | null
  actor_email: string | null
  created_at: Date
  editor: 'html' | 'visual' | 'mjml'
  subject: string
}

export type VersionRow = VersionFacts & VersionContent

export interface NewVersion extends Pick<VersionFacts, 'number' | 'actor_kind' | 'actor_user_id' | 'created_at'> {
  content: VersionContent
}

const columnOf = ({ kind }: VersionOwner): RawBuilder<unknown> => sql.ref(`${kind}_id`)

const ofOwner = (owner: VersionOwner): RawBuilder<boolean> =>
  sql<boolean>`project_id = ${owner.projectId} and ${columnOf(owner)} = ${owner.id}`

/** A version that exists is not changed. */
export async function insertVersion(tx: Tx, owner: VersionOwner, version: NewVersion): Promise<void> {
  const { subject, plain, preheader, body, document, mjml } = version.content
  await sql`
    insert into content_versions (project_id, ${columnOf(owner)}, number, subject, plain, preheader, body, document, mjml,
      actor_kind, actor_user_id, created_at)
    values (${owner.projectId}, ${owner.id}, ${version.number}, ${subject}, ${plain}, ${preheader}, ${body},
      ${document === null ? null : JSON.stringify(document)}::jsonb, ${mjml},
      ${version.actor_kind}, ${version.actor_user_id}, ${version.created_at})
    on conflict do nothing`.execute(tx)
}

/** Deletes versions beyond `most`: the oldest without a name, then the oldest with one. The newest is always kept. */
export async function deleteOldVersions(tx: Tx, owner: VersionOwner, most: number): Promise<void> {
  await sql`
    with known as (select number, name from content_versions where ${ofOwner(owner)}),
    old as (
      select number from known where number < (select max(number) from known)
      order by name is not null, number limit greatest((select count(*) from known) - ${most}::int, 0)
    )
    delete from content_versions where ${ofOwner(owner)} and number in (select number from old)`.execute(tx)
}

export interface VisualEmail {
  id: string
  document: EmailDocument
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The condition of a list of visual emails, after an ID: all of a project, or those with a layout. */
export const visualEmails = (
  projectId: string,
  layoutId: string | undefined,
  after: string | undefined,
): RawBuilder<boolean> => sql<boolean>`project_id = ${projectId} and document is not null
      and id > coalesce(${after ?? null}::uuid, ${FIRST_ID}::uuid)
      and (${layoutId ?? null}::text is null or document ->> 'layoutId' = ${layoutId ?? null}::text)`

/** The condition of an update with HTML that was compiled again: the document is still the same, and the HTML is new. */
export const compiledFrom = (projectId: string, { id, document }: VisualEmail, body: string): RawBuilder<boolean> =>
  sql<boolean>`project_id = ${projectId} and id = ${id} and document = ${JSON.stringify(document)}::jsonb and body <> ${body}`

/**
 * Part of a statement that stores HTML that was compiled again: `saved` has the ID and the version of what was changed.
 * The current version is always the current content.
 */
export const currentVersionStep = (
  kind: VersionOwner['kind'],
  projectId: string,
  body: string,
): RawBuilder<unknown> => sql`
  update content_versions set body = ${body} from saved
  where content_versions.project_id = ${projectId} and ${sql.ref(`content_versions.${kind}_id`)} = saved.id
    and content_versions.number = saved.version and content_versions.body <> ${body}`

const FACTS = sql`v.number, v.name, v.subject, v.actor_kind, v.actor_user_id, users.email as actor_email, v.created_at,
  case when v.document is not null then 'visual' when v.mjml is not null then 'mjml' else 'html' end as editor`

/** Newest first. */
export async function listVersions(db: Database, owner: VersionOwner): Promise<VersionFacts[]> {
  const { rows } = await sql<VersionFacts>`
    select ${FACTS} from (select * from content_versions where ${ofOwner(owner)}) as v
    left join users on users.id = v.actor_user_id order by v.number desc`.execute(db)
  return rows
}

export async function findVersion(
  db: Database | Tx,
  owner: VersionOwner,
  number: number,
): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`
    select ${FACTS}, v.plain, v.preheader, v.body, v.document, v.mjml
    from (select * from content_versions where ${ofOwner(owner)} and number = ${number}::int) as v
    left join users on users.id = v.actor_user_id`.execute(db)
  return rows[0]
}

/** False if there is no such version. */
export async function setVersionName(
  db: Database,
  owner: VersionOwner,
  number: number,
  name: string | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update content_versions set name = ${name} where ${ofOwner(owner)} and number = ${number}::int`.execute(db)
  return Number(numAffectedRows) > 0
}
