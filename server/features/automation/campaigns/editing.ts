/** What people write into campaigns: creating, changing, copying and restoring them, with the versions of their content. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { NAME_MAX } from '../../../kernel/content/mail-content.ts'
import { notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { refuseBrokenLiquid, refuseBrokenUtm } from '../../../platform/rendering/renderer.ts'
import { requireReferences } from '../../audience/segments/actions.ts'
import { requireTopic } from '../../audience/topics/actions.ts'
import { compileContent, compileStored, recompile, requireLayout } from '../../content/documents/actions.ts'
import { changesContent, recordVersion, type VersionContent, versionContent } from '../../content/documents/versions.ts'
import { copyName, getTemplate } from '../../content/templates/actions.ts'
import { type Actor, recordAuditEntry, SYSTEM } from '../../record/audit/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { getCampaign, refused, requireCampaign } from './actions.ts'
import { type CampaignFields, fieldsFrom, fieldsOfRow, isAllowed, notAllowed } from './campaign.ts'
import { findExperiment, saveExperiment } from './experiments/queries.ts'
import { recordCampaignChange } from './limits/audit.ts'
import * as queries from './queries.ts'
import type { CampaignChanges, CampaignInput } from './schemas.ts'

export async function createCampaign(
  ctx: Context,
  projectId: string,
  input: z.output<typeof CampaignInput>,
  who: Actor = SYSTEM,
) {
  const fields = await checkedFields(ctx, projectId, input)
  const id = newId(ctx.clock.now())
  await transaction(ctx.db, async (tx) => {
    await lockReferences(tx, projectId, fields)
    await addCampaign(ctx, tx, projectId, id, fields, who)
  })
  const campaign = await getCampaign(ctx, projectId, id)
  return { ...campaign, success: true, data: campaign }
}

/** Inserts a campaign with the first version of its content. */
export async function addCampaign(
  ctx: Context,
  tx: Tx,
  projectId: string,
  id: string,
  fields: CampaignFields,
  who: Actor,
): Promise<void> {
  const now = ctx.clock.now()
  await requireLayout(tx, projectId, fields.document, now)
  await requireTopic(tx, projectId, fields.topic_id)
  await queries.insertCampaign(tx, projectId, id, fields, now)
  const saved = { ...fields, version: 1, updated_at: now }
  await recordVersion(tx, ownerOf(projectId, id), { saved, actor: who.actor })
  const details = { campaignId: id, name: fields.name }
  await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'campaign.created', details })
}

const ownerOf = (projectId: string, id: string) => ({ kind: 'campaign' as const, projectId, id })

/** Replaces the author's fields; the schedule is unchanged, and so are the tags if the request has none. */
export async function replaceCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  input: z.output<typeof CampaignInput>,
  who: Actor = SYSTEM,
  ifMatch?: string,
) {
  const { status, tags, is_public: isPublic } = await requireCampaign(ctx, projectId, id)
  if (!isAllowed('change', status)) throw notAllowed('change', status)
  const fields = await checkedFields(ctx, projectId, { tags, isPublic, ...input })
  return changeCampaign(ctx, projectId, id, fields, who, ifMatch)
}

/** A change to the content adds a version. Fields that are absent stay as they are. */
async function changeCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  fields: VersionContent & Partial<CampaignFields>,
  who: Actor,
  ifMatch?: string,
) {
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    await lockReferences(tx, projectId, fields)
    await requireLayout(tx, projectId, fields.document, now)
    await requireTopic(tx, projectId, fields.topic_id)
    const before = await queries.lockContent(tx, projectId, id)
    if (!before) throw await refused(ctx, projectId, id, 'change')
    requireUnchanged(ifMatch, before.updated_at)
    const whole = await queries.findCampaign(tx, projectId, id)
    const isNew = changesContent(before, fields)
    const version = isNew ? before.version + 1 : before.version
    await queries.updateCampaign(tx, projectId, id, { ...fields, version }, now)
    await recordCampaignChange(ctx, tx, { projectId, campaignId: id }, whole, who)
    if (!isNew) return
    const saved = { ...fields, version, updated_at: now }
    await recordVersion(tx, ownerOf(projectId, id), { before, saved, actor: who.actor })
  })
  return getCampaign(ctx, projectId, id)
}

export async function patchCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  { tags, isPublic }: z.output<typeof CampaignChanges>,
  who: Actor,
  ifMatch?: string,
) {
  await transaction(ctx.db, async (tx) => {
    const updatedAt = await queries.lockCampaign(tx, projectId, id)
    if (!updatedAt) throw notFound('campaign', id)
    requireUnchanged(ifMatch, updatedAt)
    const before = await queries.findCampaign(tx, projectId, id)
    await queries.patchCampaign(tx, projectId, id, { tags, is_public: isPublic }, ctx.clock.now())
    await recordCampaignChange(ctx, tx, { projectId, campaignId: id }, before, who)
  })
  return getCampaign(ctx, projectId, id)
}

/** Only while the campaign can be changed. */
export async function restoreCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  number: string,
  who: Actor = SYSTEM,
) {
  const { status } = await requireCampaign(ctx, projectId, id)
  if (!isAllowed('change', status)) throw notAllowed('change', status)
  const content = await versionContent(ctx, ownerOf(projectId, id), number)
  return changeCampaign(ctx, projectId, id, await compileStored(ctx, projectId, content), who)
}

/** The owner of the versions. Another project's campaign is not found. */
export async function versionsOf(ctx: Context, projectId: string, id: string) {
  await requireCampaign(ctx, projectId, id)
  return ownerOf(projectId, id)
}

async function lockReferences(tx: Tx, projectId: string, fields: Partial<CampaignFields>): Promise<void> {
  const [missing] = await queries.lockReferences(tx, projectId, fields)
  if (missing) throw notFound(missing.resource, missing.id)
}

/** The input merged with its template, and validated as it would be sent. */
async function checkedFields(
  ctx: Context,
  projectId: string,
  input: z.output<typeof CampaignInput>,
): Promise<CampaignFields> {
  const template = input.templateId ? await getTemplate(ctx, projectId, input.templateId) : undefined
  const { subject, body, text, preheader } = input
  const lines = { text: text ?? undefined, preheader: preheader ?? undefined }
  await refuseBrokenLiquid(ctx.renderer, projectId, { subject, body, ...lines })
  if (input.utm) await refuseBrokenUtm(ctx.renderer, projectId, input.utm)
  const content = await compileContent(ctx, projectId, input)
  if (input.audienceCondition)
    await requireReferences(ctx, projectId, input.audienceCondition, ctx.db, 'audienceCondition')
  // The text of a template belongs to its body.
  const own = content && { ...input, text: text ?? null, ...content }
  const fields = fieldsFrom(own ?? inheriting(input), template)
  await requireVerifiedSender(ctx, projectId, fields.from_email)
  return fields
}

/** Without content of its own, a campaign has all of its template's. */
const inheriting = ({ document: _document, mjml: _mjml, ...input }: z.output<typeof CampaignInput>) => input

/** Copies a campaign and its experiment as a draft, without its schedule, recipients and counts. */
export async function duplicateCampaign(ctx: Context, projectId: string, id: string, who: Actor = SYSTEM) {
  const original = await requireCampaign(ctx, projectId, id)
  const now = ctx.clock.now()
  const copyId = newId(now)
  const name = copyName(original.name, NAME_MAX)
  const copy = await compileStored(ctx, projectId, { ...fieldsOfRow(original), name, is_public: false })
  const experiment = await findExperiment(ctx.db, projectId, id)
  await transaction(ctx.db, async (tx) => {
    await addCampaign(ctx, tx, projectId, copyId, copy, who)
    if (experiment) await saveExperiment(tx, projectId, copyId, experiment, now)
  })
  return getCampaign(ctx, projectId, copyId)
}

const RECOMPILE_AT_ONCE = 20

/** After a change to the brand or a layout. */
export const recompileCampaigns = (ctx: Context, projectId: string, layoutId?: string): Promise<void> =>
  recompile(ctx, projectId, {
    next: (after) => queries.listVisualCampaigns(ctx.db, projectId, layoutId, after, RECOMPILE_AT_ONCE),
    save: (campaign, body) => queries.saveCompiledCampaign(ctx.db, projectId, campaign, body),
  })
