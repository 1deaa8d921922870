/** Templates: creating, reading, changing, copying and deleting them. */

import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { editorOf } from '../../../kernel/content/email-document.ts'
import { CONTENT_TYPES, type ContentSource, type ContentType, NAME_MAX } from '../../../kernel/content/mail-content.ts'
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { numberedPage, offsetOf, pageTooLarge } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { requireTopic } from '../../audience/topics/actions.ts'
import { type Actor, changesOf, recordAuditEntry, SYSTEM } from '../../record/audit/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { compileContent, compileStored, recompile, requireLayout } from '../documents/actions.ts'
import { changesContent, recordVersion, versionContent } from '../documents/versions.ts'
import * as queries from './queries.ts'
import type { NewTemplate, TemplateChanges, TemplateListQuery } from './schemas.ts'
import { inUseReason, showUsage } from './usage.ts'

export const createTemplate = async (
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewTemplate>,
  who: Actor = SYSTEM,
) => addTemplate(ctx, projectId, await checkedFields(ctx, projectId, input), who)

async function checkedFields(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewTemplate>,
): Promise<queries.TemplateFields> {
  const {
    name,
    subject,
    from,
    type,
    topicId = null,
    tags = [],
    description = null,
    fromName = null,
    replyTo = null,
    preheader = null,
    text: plain = null,
  } = input
  const content = (await checkedContent(ctx, projectId, input))!
  await requireVerifiedSender(ctx, projectId, from)
  const sender = { from_email: from, from_name: fromName, reply_to: replyTo }
  return { name, description, subject, plain, preheader, type, topic_id: topicId, tags, ...content, ...sender }
}

const addTemplate = (ctx: Context, projectId: string, fields: queries.TemplateFields, who: Actor) =>
  transaction(ctx.db, (tx) => insertTemplate(ctx, tx, projectId, fields, who))

async function insertTemplate(ctx: Context, tx: Tx, projectId: string, fields: queries.TemplateFields, who: Actor) {
  const now = ctx.clock.now()
  await requireLayout(tx, projectId, fields.document, now)
  await requireTopic(tx, projectId, fields.topic_id)
  const saved = await queries.insertTemplate(tx, projectId, newId(now), fields, now)
  await recordVersion(tx, ownerOf(projectId, saved.id), { saved, actor: who.actor })
  const details = { templateId: saved.id, name: saved.name }
  await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'template.created', details })
  return showTemplate(saved)
}

/** Undefined if there is a template of that name, which another request may have created just now. */
const addUnlessNamed = (ctx: Context, projectId: string, fields: queries.TemplateFields, who: Actor) =>
  transaction(ctx.db, async (tx) => {
    const named = await queries.lockName(tx, projectId, fields.name)
    return named.length > 0 ? undefined : insertTemplate(ctx, tx, projectId, fields, who)
  })

const ownerOf = (projectId: string, id: string) => ({ kind: 'template' as const, projectId, id })

/** Checks the Liquid of all fields at once if the body is HTML; compiling checks it otherwise. */
async function checkedContent(
  ctx: Context,
  projectId: string,
  input: ContentSource & {
    subject?: string | undefined
    text?: string | null | undefined
    preheader?: string | null | undefined
  },
) {
  const { subject, body, text, preheader } = input
  const lines = { text: text ?? undefined, preheader: preheader ?? undefined }
  await refuseBrokenLiquid(ctx.renderer, projectId, { subject, body, ...lines })
  return compileContent(ctx, projectId, input)
}

export async function getTemplate(ctx: Context, projectId: string, id: string, db: Database | Tx = ctx.db) {
  return showTemplate(await requireTemplate(db, projectId, id))
}

/** An ID, or a name. */
export type TemplateRef = string | { name: string }

export type SendableTemplate = Awaited<ReturnType<typeof getTemplateForSending>>

/** Used to send emails. Another project's template is not found. */
export async function getTemplateForSending(ctx: Context, projectId: string, ref: TemplateRef) {
  const isKnown = typeof ref !== 'string' || isId(ref)
  const found = isKnown ? await queries.findSendable(ctx.db, projectId, ref) : undefined
  if (!found) throw templateNotFound(ref)
  return { ...found, type: found.type as ContentType }
}

const templateNotFound = (ref: TemplateRef) =>
  typeof ref === 'string'
    ? notFound('template', ref)
    : notFound('template', ref.name, `There is no template named "${ref.name.slice(0, NAME_MAX)}".`)

async function requireTemplate(db: Database | Tx, projectId: string, id: string): Promise<queries.TemplateRow> {
  const row = isId(id) ? await queries.findTemplate(db, projectId, id) : undefined
  if (!row) throw notFound('template', id)
  return row
}

export async function patchTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  input: z.output<typeof TemplateChanges>,
  who: Actor = SYSTEM,
  ifMatch?: string,
) {
  const { from, fromName, replyTo, body: _, document, mjml, text, topicId, ...same } = input
  const content = await checkedContent(ctx, projectId, input)
  if (from !== undefined) await requireVerifiedSender(ctx, projectId, from)
  const fields = {
    ...same,
    ...content,
    plain: text,
    topic_id: topicId,
    from_email: from,
    from_name: fromName,
    reply_to: replyTo,
  }
  return changeTemplate(ctx, projectId, id, fields, who, ifMatch)
}

/** A change to the content adds a version. */
async function changeTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  fields: Partial<queries.TemplateFields>,
  who: Actor,
  ifMatch?: string,
) {
  return transaction(ctx.db, async (tx) => {
    await requireLayout(tx, projectId, fields.document, ctx.clock.now())
    await requireTopic(tx, projectId, fields.topic_id)
    const before = await queries.lockTemplate(tx, projectId, id)
    if (!before) throw notFound('template', id)
    requireUnchanged(ifMatch, before.updated_at)
    const isNew = changesContent(before, fields)
    const version = isNew ? before.version + 1 : before.version
    const saved = (await queries.updateTemplate(tx, projectId, id, { ...fields, version }, ctx.clock.now()))!
    if (isNew) await recordVersion(tx, ownerOf(projectId, id), { before, saved, actor: who.actor })
    const changes = changesOf(showTemplate(before), showTemplate(saved))
    const details = { templateId: id, name: saved.name, ...changes }
    if (changes) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'template.changed', details })
    return showTemplate(saved)
  })
}

type ShownTemplate = ReturnType<typeof showTemplate>

/** Creates the template, or changes the one of that name. */
export async function upsertTemplate(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewTemplate>,
  who: Actor = SYSTEM,
  ifMatch?: string,
): Promise<ShownTemplate> {
  const [id, other] = await queries.findNamesakes(ctx.db, projectId, input.name)
  if (other !== undefined)
    throw conflict(`Several templates are named "${input.name}".`, {
      suggestion: 'Rename all but one of them, or update one by its ID.',
    })
  if (id === undefined) {
    requireUnchanged(ifMatch, undefined)
    const added = await addUnlessNamed(ctx, projectId, await checkedFields(ctx, projectId, input), who)
    return added ?? upsertTemplate(ctx, projectId, input, who)
  }
  const { description = null, fromName = null, replyTo = null, preheader = null, text = null, topicId = null } = input
  return patchTemplate(
    ctx,
    projectId,
    id,
    { ...input, description, fromName, replyTo, preheader, text, topicId },
    who,
    ifMatch,
  )
}

export async function restoreTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  number: string,
  who: Actor = SYSTEM,
) {
  const content = await versionContent(ctx, await versionsOf(ctx, projectId, id), number)
  return changeTemplate(ctx, projectId, id, await compileStored(ctx, projectId, content), who)
}

/** The owner of the versions. Another project's template is not found. */
export async function versionsOf(ctx: Context, projectId: string, id: string) {
  await requireTemplate(ctx.db, projectId, id)
  return ownerOf(projectId, id)
}

export async function duplicateTemplate(ctx: Context, projectId: string, id: string, who: Actor = SYSTEM) {
  const original = await requireTemplate(ctx.db, projectId, id)
  const { id: _id, project_id, version, last_used_at, created_at, updated_at, ...same } = original
  const copy = await compileStored(ctx, projectId, { ...same, name: copyName(original.name, NAME_MAX) })
  return addTemplate(ctx, projectId, copy, who)
}

export async function deleteTemplate(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const template = await queries.lockTemplate(tx, projectId, id)
    if (!template) throw notFound('template', id)
    const reason = inUseReason(await queries.listUsers(tx, projectId, id))
    if (reason)
      throw conflict(reason, { suggestion: 'GET /templates/{id}/usage lists everything that uses the template.' })
    await queries.deleteTemplate(tx, projectId, id)
    const details = { templateId: id, name: template.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'template.deleted', details })
  })
}

export async function getTemplateUsage(ctx: Context, projectId: string, id: string) {
  await requireTemplate(ctx.db, projectId, id)
  return showUsage(await queries.listUsers(ctx.db, projectId, id))
}

/**
 * The maximum total size of the bodies in one response. A default page always fits; a long page of long bodies might
 * not.
 */
const PAGE_BYTES_MAX = 64 * 1024 * 1024

export async function listTemplates(ctx: Context, projectId: string, query: z.output<typeof TemplateListQuery>) {
  const { page, pageSize, sort, dir, ...filter } = query
  if (filter.type !== undefined && !CONTENT_TYPES.some((type) => type === filter.type)) {
    throw badRequest(`type must be one of ${CONTENT_TYPES.join(', ')}.`)
  }
  const window = { ...filter, sort, dir, limit: pageSize, offset: offsetOf(query) }
  const [found, total] = await Promise.all([
    queries.findPage(ctx.db, projectId, window),
    queries.countTemplates(ctx.db, projectId, filter),
  ])
  if (found.reduce((sum, { bytes }) => sum + bytes, 0) > PAGE_BYTES_MAX) {
    throw pageTooLarge('templates')
  }
  const ids = found.map(({ id }) => id)
  return numberedPage(await queries.findTemplates(ctx.db, projectId, ids), query, total, showTemplate)
}

const showTemplate = (row: queries.TemplateRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  subject: row.subject,
  body: row.body,
  editor: editorOf(row),
  document: row.document,
  mjml: row.mjml,
  text: row.plain,
  preheader: row.preheader,
  version: row.version,
  from: row.from_email,
  fromName: row.from_name,
  replyTo: row.reply_to,
  type: row.type as ContentType,
  topicId: row.topic_id,
  tags: row.tags,
  lastUsedAt: row.last_used_at,
  projectId: row.project_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const RECOMPILE_AT_ONCE = 20

/** Called after a change to the brand or a layout. */
export const recompileTemplates = (ctx: Context, projectId: string, layoutId?: string): Promise<void> =>
  recompile(ctx, projectId, {
    next: (after) => queries.listVisualTemplates(ctx.db, projectId, layoutId, after, RECOMPILE_AT_ONCE),
    save: (template, body) => queries.saveCompiledTemplate(ctx.db, projectId, template, body),
  })

const COPY_MARK = ' (Copy)'

/** The original's name with a suffix, shortened if it would be too long. */
export function copyName(name: string, max: number): string {
  const room = max - COPY_MARK.length
  if (name.length <= room) return name + COPY_MARK
  const cutsPair = /[\ud800-\udbff]/.test(name.charAt(room - 1))
  return name.slice(0, cutsPair ? room - 1 : room) + COPY_MARK
}
