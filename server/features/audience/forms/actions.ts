/** Forms: creating, changing and deleting them, and their numbers. Submissions are in `signups.ts`. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { invalid, invalidField, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { dayRange, refuseReversedRange } from '../../../kernel/time-range.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { decideTopics } from '../contacts/topics.ts'
import { formPage, plainForm } from './pages.ts'
import * as queries from './queries.ts'
import type { CaptchaInput, FormChanges, FormQuery, FormStatsQuery, NewForm, SpamQuery } from './schemas.ts'
import * as signups from './signup-queries.ts'
import { formToken } from './submission.ts'

const NO_COUNTS: queries.Counts = { shown: 0, submitted: 0, confirmed: 0, spam: 0 }

export async function listForms(ctx: Context, projectId: string, { cursor, limit }: z.output<typeof FormQuery>) {
  const [rows, total] = await Promise.all([
    queries.listForms(ctx.db, projectId, { before: cursor, limit }),
    cursor === undefined ? queries.countForms(ctx.db, projectId) : 0,
  ])
  const ids = rows.map(({ id }) => id)
  const counts = await queries.sumCounts(ctx.db, projectId, ids)
  return cursorPage(rows, limit, total, (row) => showForm(ctx, row, counts.get(row.id)))
}

export async function getForm(ctx: Context, projectId: string, id: string) {
  return shown(ctx, await requireRow(ctx.db, projectId, id))
}

async function requireRow(db: Database | Tx, projectId: string, id: string, lock?: 'change'): Promise<queries.FormRow> {
  const row = await queries.findForm(db, projectId, id, lock)
  if (!row) throw notFound('form', id)
  return row
}

export async function createForm(ctx: Context, projectId: string, input: z.output<typeof NewForm>, who: Actor) {
  const now = ctx.clock.now()
  const { captcha, ...fields } = columnsOf(input)
  const row = await transaction(ctx.db, async (tx) => {
    await requireTopics(tx, projectId, input.topics)
    const all = { ...fields, ...captchaColumns(ctx, captcha, null) } as queries.FormFields
    const made = await queries.insertForm(tx, projectId, newId(now), all, now)
    const details = { formId: made.id, name: made.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'form.created', details })
    return made
  })
  return shown(ctx, row)
}

export async function changeForm(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof FormChanges>,
  who: Actor,
) {
  const { captcha, ...fields } = columnsOf(changes)
  const row = await transaction(ctx.db, async (tx) => {
    const before = await requireRow(tx, projectId, id, 'change')
    await requireTopics(tx, projectId, changes.topics)
    const changed = { ...fields, ...captchaColumns(ctx, captcha, before) }
    const after = await queries.updateForm(tx, projectId, id, changed, ctx.clock.now())
    const names = Object.keys(changes).filter((name) => changes[name as keyof typeof changes] !== undefined)
    const details = { formId: id, name: after.name, changed: names }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'form.changed', details })
    return after
  })
  return shown(ctx, row)
}

export async function deleteForm(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { name } = await requireRow(tx, projectId, id, 'change')
    await queries.deleteForm(tx, projectId, id)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'form.deleted', details: { formId: id, name } })
  })
}

async function requireTopics(tx: Tx, projectId: string, keys: string[] | undefined): Promise<void> {
  if (!keys || keys.length === 0) return
  const known = new Set(await queries.useTopics(tx, projectId, keys))
  const unknown = keys.flatMap((key, i) => (known.has(key) ? [] : [{ key, i }]))
  if (unknown.length === 0) return
  const message = (key: string) => `There is no topic with the key "${key.slice(0, 100)}".`
  throw invalid(unknown.map(({ key, i }) => ({ field: `topics.${i}`, message: message(key), code: 'unknown_topic' })))
}

function columnsOf(input: Partial<z.output<typeof NewForm>>) {
  const { chooseTopics, doubleOptIn, buttonText, consentText, successMessage, redirectUrl, eventName, ...same } = input
  return {
    ...same,
    choose_topics: chooseTopics,
    double_opt_in: doubleOptIn,
    button_text: buttonText,
    consent_text: consentText,
    success_message: successMessage,
    redirect_url: redirectUrl,
    event_name: eventName,
  } as Partial<Omit<queries.FormFields, 'captcha'>> & { captcha?: CaptchaInput | null }
}

/** Without a new secret key, the stored one is kept, unless it would be sent to another server. */
function captchaColumns(ctx: Context, input: CaptchaInput | null | undefined, before: queries.FormRow | null) {
  if (input === undefined) return {}
  if (input === null) return { captcha: null, captcha_secret: null }
  const { secretKey, ...captcha } = input
  const isSameServer = before?.captcha?.provider === captcha.provider && before.captcha.endpoint === captcha.endpoint
  const stored = isSameServer ? before.captcha_secret : null
  if (secretKey === undefined && !stored) throw invalidField('captcha.secretKey', 'This field is required.')
  return { captcha, captcha_secret: secretKey === undefined ? stored : ctx.secrets.encrypt(secretKey) }
}

const shown = async (ctx: Context, row: queries.FormRow) =>
  showForm(ctx, row, (await queries.sumCounts(ctx.db, row.project_id, [row.id])).get(row.id))

function showForm(ctx: Context, row: queries.FormRow, totals: queries.Counts = NO_COUNTS) {
  const page = `${ctx.baseUrl}/f/${row.id}`
  return {
    id: row.id,
    name: row.name,
    fields: row.fields,
    topics: row.topics,
    chooseTopics: row.choose_topics,
    doubleOptIn: row.double_opt_in,
    title: row.title,
    description: row.description,
    buttonText: row.button_text,
    consentText: row.consent_text,
    successMessage: row.success_message,
    redirectUrl: row.redirect_url,
    eventName: row.event_name,
    captcha: row.captcha && { ...row.captcha, hasSecretKey: row.captcha_secret !== null },
    enabled: row.enabled,
    totals,
    links: { page, script: `${page}/embed.js` },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** For a website that stores its pages: it can't have the time of each visit, so it has that of the form's creation. */
export async function getHtml(ctx: Context, projectId: string, id: string) {
  const row = await requireRow(ctx.db, projectId, id)
  const form = await queries.asPublicForm(ctx.db, row)
  const token = formToken(ctx.secrets, id, row.created_at)
  return { html: plainForm(form, `${ctx.baseUrl}/f/${id}`, token) }
}

/** The page of a form that isn't saved. */
export async function previewForm(ctx: Context, projectId: string, input: z.output<typeof NewForm>) {
  const now = ctx.clock.now()
  const { captcha: _, ...fields } = columnsOf(input)
  const row = { ...fields, project_id: projectId, id: newId(now), captcha: null } as unknown as queries.FormRow
  const form = await queries.asPublicForm(ctx.db, row)
  return { html: formPage(form, { token: '' }) }
}

export async function getStats(ctx: Context, projectId: string, id: string, range: z.output<typeof FormStatsQuery>) {
  refuseReversedRange(range)
  await requireRow(ctx.db, projectId, id)
  const days = await queries.listDays(ctx.db, projectId, id, dayRange(range, ctx.clock.now()))
  const sum = (name: keyof queries.Counts) => days.reduce((total, day) => total + day[name], 0)
  const totals = { shown: sum('shown'), submitted: sum('submitted'), confirmed: sum('confirmed'), spam: sum('spam') }
  return { data: days, totals }
}

export async function listSpam(
  ctx: Context,
  projectId: string,
  id: string,
  { cursor, limit }: z.output<typeof SpamQuery>,
) {
  await requireRow(ctx.db, projectId, id)
  const [rows, total] = await Promise.all([
    signups.listSpam(ctx.db, projectId, id, { before: cursor, limit }),
    cursor === undefined ? signups.countSpam(ctx.db, projectId, id) : 0,
  ])
  return cursorPage(rows, limit, total, ({ created_at: at, user_agent: userAgent, ...same }) => ({
    ...same,
    at,
    userAgent,
  }))
}

const DAY_MS = 24 * 3_600_000
const SPAM_DAYS = 30
/** Longer than a confirmation link is valid, because another one can be sent. */
const SIGNUP_DAYS = 90
const DELETED_AT_ONCE = 5_000

/** Spam that is old, and signups that can no longer be confirmed. */
export async function deleteOldSignups(ctx: Context): Promise<void> {
  const before = (days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS)
  while ((await signups.deleteSpamBefore(ctx.db, before(SPAM_DAYS), DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  while ((await signups.deleteSignupsBefore(ctx.db, before(SIGNUP_DAYS), DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}

/**
 * Subscribes a contact to the topics of the forms that asked for its confirmation, and counts it for them, in the
 * transaction of the confirmation. As the owner of the address confirms, earlier opt-outs of these topics end. The topics were
 * chosen in the form, which is their source in the record of consent.
 */
export async function completeSignups(
  ctx: Context,
  tx: Tx,
  { projectId, contactId, cause }: { projectId: string; contactId: string; cause: ConsentCause },
): Promise<void> {
  const confirmed = await signups.takeConfirmed(tx, projectId, contactId)
  const now = ctx.clock.now()
  const day = now.toISOString().slice(0, 10)
  if (confirmed.length === 0) return
  const decisions = [...new Set(confirmed.flatMap(({ topics }) => topics))]
  if (decisions.length > 0) {
    const chosen = { ...cause, source: 'form' } as const
    await decideTopics(tx, { projectId, contactIds: [contactId], decisions, keepsOptOuts: false, cause: chosen, now })
  }
  await queries.addCounts(
    tx,
    confirmed.map(({ formId }) => ({ projectId, formId, name: 'confirmed', day })),
  )
}

/** When contacts are deleted. The numbers of a form stay. */
export const signupsOfContacts = { erase: signups.eraseSignups }
