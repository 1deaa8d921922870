/** Projects: creating, listing and changing them, and replacing their two keys. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import { conflict, invalidField, notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import type { PublicKeyUpdates } from '../../../kernel/scopes.ts'
import { SENDING_FIELDS, type SendingSettings, showUtm } from '../../../kernel/sending/settings.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction, violatedConstraint } from '../../../platform/database/connection/transaction.ts'
import { removeKeys } from '../../../platform/first-run-file.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { refuseBrokenUtm } from '../../../platform/rendering/renderer.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { refuseLimitedKey } from '../keys/actions.ts'
import { type KeyPair, makeKeys, storeKeys } from '../keys/project-keys.ts'
import { addOwner, countProject, findRole } from '../members/actions.ts'
import * as queries from './queries.ts'
import type { ProjectPatch } from './schemas.ts'

export async function createProject(ctx: Context, userId: string, input: { name: string }, ip?: string) {
  return transaction(ctx.db, async (tx) => {
    await countProject(ctx, tx, userId)
    return createProjectIn(ctx, tx, userId, input, ip)
  })
}

export async function createProjectIn(ctx: Context, tx: Tx, userId: string, { name }: { name: string }, ip?: string) {
  const now = ctx.clock.now()
  const keys = makeKeys()
  const row = await queries.insertProject(tx, { id: newId(now), name, ...keys, now })
  await storeKeys(tx, row.id, keys)
  await addOwner(tx, row.id, userId, now)
  await recordAuditEntry(ctx, tx, { projectId: row.id, actor: userId, ip, act: 'project.created', details: { name } })
  return { ...showProject({ ...row, role: 'OWNER' }), ...showKeys(keys) }
}

export async function listProjects(ctx: Context, userId: string) {
  const rows = await queries.listProjectsOf(ctx.db, userId)
  return rows.map(showProject)
}

type ActorOfProject = Actor & { userId: string | undefined }

/** Null for an API key. */
const roleOf = async (ctx: Context, projectId: string, { userId }: ActorOfProject): Promise<string | null> =>
  (userId && (await findRole(ctx.db, projectId, userId))) || null

/** Both keys change together; the old ones stop working when this returns. */
export async function regenerateKeys(ctx: Context, projectId: string, who: ActorOfProject) {
  refuseLimitedKey(who.key)
  const keys = makeKeys()
  const row = await transaction(ctx.db, async (tx) => {
    const shown = await queries.showNewKeys(tx, projectId, keys, ctx.clock.now())
    if (!shown) throw notFound('project', projectId)
    await storeKeys(tx, projectId, keys)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'keys.regenerated' })
    return shown
  })
  await removeFirstKeys(ctx, projectId)
  return { ...showProject({ ...row, role: await roleOf(ctx, projectId, who) }), ...showKeys(keys) }
}

/** If the file can't be written, the next start removes them. */
export const removeFirstKeys = (ctx: Context, projectId: string): Promise<void> =>
  removeKeys(ctx.settings.DATA_DIR, projectId, ctx.clock.now()).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'first-run.json still has keys that no longer work'),
  )

export async function changeProject(
  ctx: Context,
  projectId: string,
  change: z.output<typeof ProjectPatch>,
  who: ActorOfProject,
  ifMatch?: string,
) {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (change.utm) await refuseBrokenUtm(ctx.renderer, projectId, change.utm)
  const row = await transaction(ctx.db, async (tx) => {
    await requireConfirmUrl(tx, projectId, change.doubleOptIn?.templateId)
    const original = await queries.lockProject(tx, projectId)
    if (original) requireUnchanged(ifMatch, original.updated_at)
    const changed = await queries
      .updateProject(tx, projectId, columnsOf(given), ctx.clock.now())
      .catch((error: unknown) => {
        throw violatedConstraint(error) === queries.ARCHIVE_SLUG_KEY ? slugIsTaken(change.archive!.slug) : error
      })
    if (!original || !changed) throw notFound('project', projectId)
    const shown: Record<string, unknown> = showProject({ ...original, role: null })
    const before = Object.fromEntries(Object.keys(given).map((name) => [name, shown[name]]))
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'project.changed', details: { ...given, before } })
    if (Object.keys(given).some((name) => !NOT_IN_EMAILS.has(name) && !isSendingField(name)))
      await enqueueRecompile(tx, projectId)
    return changed
  })
  return showProject({ ...row, role: await roleOf(ctx, projectId, who) })
}

async function requireConfirmUrl(tx: Tx, projectId: string, templateId: string | null | undefined): Promise<void> {
  if (!templateId) return
  const has = await queries.hasConfirmUrl(tx, projectId, templateId)
  if (has === undefined) throw notFound('template', templateId)
  if (!has) {
    const message = 'The template has no link to {{confirmUrl}}. Add one, so that recipients can confirm.'
    throw invalidField('doubleOptIn.templateId', message)
  }
}

/** Settings that no email contains. */
const NOT_IN_EMAILS = new Set(['tracking', 'sendToBounced', 'publicKeyUpdates', 'doubleOptIn', 'preferencePage'])

/**
 * Visual templates and drafts contain the project's name, language and brand, so they are compiled again. Several
 * changes share a job.
 */
const enqueueRecompile = (tx: Tx, projectId: string): Promise<void> =>
  enqueue(tx, 'recompile-emails', { projectId }, { jobKey: `recompile-emails ${projectId}` })

const slugIsTaken = (slug: string) =>
  conflict(`Another archive has the slug "${slug}".`, { suggestion: 'Choose another slug.' })

function columnsOf(change: z.output<typeof ProjectPatch>) {
  const sending = Object.fromEntries(Object.entries(change).filter(([name]) => isSendingField(name)))
  const plain = Object.fromEntries(Object.entries(change).filter(([name]) => !isSendingField(name))) as typeof change
  const { postalAddress, postalAddressInContent: addressInContent, logoUrl, brandColor: color, ...unbranded } = plain
  const { emailStyle, socialLinks, ...others } = unbranded
  const { publicKeyUpdates, sendToBounced, ...rest } = others
  const settings = {
    ...rest,
    ...(publicKeyUpdates === undefined ? {} : { public_key_updates: publicKeyUpdates }),
    ...(sendToBounced === undefined ? {} : { send_to_bounced: sendToBounced }),
  }
  const branding = Object.fromEntries(
    Object.entries({ postalAddress, addressInContent, logoUrl, color, settings: emailStyle, socialLinks }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value || null]]),
    ),
  )
  return {
    ...settings,
    ...(Object.keys(branding).length > 0 ? { branding } : {}),
    ...(Object.keys(sending).length > 0 ? { sending } : {}),
    ...(change.archive === undefined ? {} : { archive_slug: change.archive?.slug ?? null }),
  }
}

const isSendingField = (name: string): boolean => SENDING_FIELDS.some((field) => field === name)

export const getSetupState = (ctx: Context, projectId: string) => queries.findSetupState(ctx.db, projectId)

/** Disables a project: it can be read, but neither changed nor used to send. Undefined if it was already disabled. */
export async function disableProject(ctx: Context, tx: Tx, projectId: string, reason: string) {
  const project = await queries.disableProject(tx, projectId, reason, ctx.clock.now())
  if (project)
    await recordAuditEntry(ctx, tx, { projectId, actor: 'system', act: 'project.disabled', details: { reason } })
  return project
}

const showKeys = ({ publicKey, secretKey }: KeyPair) => ({ public: publicKey, secret: secretKey, publicKey, secretKey })

const NO_DOUBLE_OPT_IN = { enabled: false, templateId: null as string | null, redirectUrl: null as string | null }

const PLAIN_PREFERENCE_PAGE = { language: false, timezone: false, dataDownload: false }

const showProject = (row: queries.ProjectRow & { role: string | null }) => ({
  id: row.id,
  name: row.name,
  publicKey: row.public_key,
  secretKeyHint: row.secret_key_hint,
  disabled: row.disabled_at !== null,
  disabledReason: row.disabled_reason,
  tracking: row.tracking,
  publicKeyUpdates: row.public_key_updates as PublicKeyUpdates,
  doubleOptIn: { ...NO_DOUBLE_OPT_IN, ...(row.double_opt_in as Partial<typeof NO_DOUBLE_OPT_IN>) },
  preferencePage: { ...PLAIN_PREFERENCE_PAGE, ...(row.preference_page as Partial<typeof PLAIN_PREFERENCE_PAGE>) },
  language: row.language,
  sendToBounced: row.send_to_bounced,
  postalAddress: (row.branding as Branding).postalAddress ?? null,
  postalAddressInContent: (row.branding as Branding).addressInContent ?? false,
  logoUrl: (row.branding as Branding).logoUrl ?? null,
  brandColor: (row.branding as Branding).color ?? null,
  emailStyle: (row.branding as Branding).settings ?? null,
  socialLinks: (row.branding as Branding).socialLinks ?? null,
  quietHours: (row.sending as SendingSettings).quietHours ?? null,
  frequencyCap: (row.sending as SendingSettings).frequencyCap ?? null,
  sunset: (row.sending as SendingSettings).sunset ?? null,
  sendGuard: (row.sending as SendingSettings).sendGuard ?? null,
  conversion: (row.sending as SendingSettings).conversion ?? null,
  softBounces: (row.sending as SendingSettings).softBounces ?? null,
  utm: showUtm((row.sending as SendingSettings).utm),
  archive: (row.sending as SendingSettings).archive ?? null,
  role: row.role,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
