/**
 * The versions of templates and campaigns. Every change to the content adds one, in the same transaction, so the
 * current content is always the latest version.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { EDITORS, EmailDocument } from '../../../kernel/content/email-document.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import * as queries from './version-queries.ts'

export type VersionOwner = queries.VersionOwner
export type VersionContent = queries.VersionContent

/** More than a year of daily changes for an active template. Named versions are kept for as long as there is room. */
const KEPT_MAX = 200
const VERSION_NAME_MAX = 100

const facts = {
  number: z.number().int(),
  name: z.string().nullable(),
  editor: z.enum(EDITORS),
  subject: z.string(),
  actor: z.object({
    type: z.enum(['USER', 'KEY', 'SYSTEM']).meta({ description: 'SYSTEM: saved before versions were recorded.' }),
    userId: z.uuid().nullable(),
    email: z.string().nullable(),
  }),
  createdAt: z.date(),
}

export const ContentVersionList = z.object({ data: z.array(z.object(facts)) })

export const ContentVersion = z
  .object({
    ...facts,
    text: z.string().nullable(),
    preheader: z.string().nullable(),
    body: z.string(),
    document: EmailDocument.nullable(),
    mjml: z.string().nullable(),
  })
  .meta({ id: 'ContentVersion' })

export const VersionChanges = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(VERSION_NAME_MAX, `Must be at most ${VERSION_NAME_MAX} characters.`)
    .nullable()
    .meta({ description: 'A version with a name is deleted last.' }),
})

/** A user's id, `key` for an API key, or `system`. */
export type VersionActor = string

interface Stored extends VersionContent {
  version: number
  updated_at: Date
}

const contentOf = ({ subject, plain, preheader, body, document, mjml }: VersionContent): VersionContent => ({
  subject,
  plain,
  preheader,
  body,
  document,
  mjml,
})

/** Whether the fields that are set differ from the stored ones. */
export const changesContent = (before: VersionContent, changes: { [K in keyof VersionContent]?: unknown }): boolean =>
  Object.entries(contentOf(before)).some(
    ([name, value]) =>
      changes[name as keyof VersionContent] !== undefined &&
      !isDeepStrictEqual(asJson(value), asJson(changes[name as keyof VersionContent])),
  )

/** Without keys that are undefined, which JSON doesn't have. */
const asJson = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value

/** Records what was just saved. `before` is recorded too, if it was saved when versions were not recorded yet. */
export async function recordVersion(
  tx: Tx,
  owner: VersionOwner,
  { before, saved, actor }: { before?: Stored; saved: Stored; actor: VersionActor },
): Promise<void> {
  if (before) await queries.insertVersion(tx, owner, versionOf(before, 'system'))
  await queries.insertVersion(tx, owner, versionOf(saved, actor))
  await queries.deleteOldVersions(tx, owner, KEPT_MAX)
}

function versionOf(stored: Stored, actor: VersionActor): queries.NewVersion {
  const kind = actor === 'key' ? 'KEY' : actor === 'system' ? 'SYSTEM' : 'USER'
  return {
    number: stored.version,
    content: contentOf(stored),
    actor_kind: kind,
    actor_user_id: kind === 'USER' ? actor : null,
    created_at: stored.updated_at,
  }
}

export const listVersions = async (ctx: Context, owner: VersionOwner) => ({
  data: (await queries.listVersions(ctx.db, owner)).map(showFacts),
})

export async function getVersion(ctx: Context, owner: VersionOwner, number: string) {
  const row = await requireVersion(ctx, owner, number)
  const { plain: text, ...content } = contentOf(row)
  return { ...showFacts(row), text, ...content }
}

export async function renameVersion(ctx: Context, owner: VersionOwner, number: string, name: string | null) {
  const { number: known } = await requireVersion(ctx, owner, number)
  await queries.setVersionName(ctx.db, owner, known, name)
  return getVersion(ctx, owner, number)
}

/** What a restored template or campaign contains. */
export const versionContent = async (ctx: Context, owner: VersionOwner, number: string): Promise<VersionContent> =>
  contentOf(await requireVersion(ctx, owner, number))

async function requireVersion(ctx: Context, owner: VersionOwner, number: string): Promise<queries.VersionRow> {
  const known = /^[0-9]{1,9}$/.test(number)
  const row = known ? await queries.findVersion(ctx.db, owner, Number(number)) : undefined
  if (!row) throw notFound('version', number)
  return row
}

const showFacts = (row: queries.VersionFacts) => ({
  number: row.number,
  name: row.name,
  editor: row.editor,
  subject: row.subject,
  actor: { type: row.actor_kind, userId: row.actor_user_id, email: row.actor_email },
  createdAt: row.created_at,
})
