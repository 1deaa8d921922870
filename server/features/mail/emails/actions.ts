/** Emails: status and content, resending and canceling. */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { isTest } from '../../../kernel/content/mail-content.ts'
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts'
import { isId, timeOfId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import {
  type DescribedAttachment,
  decodedBytes,
  type StoredAttachment,
} from '../../../platform/mime/mime-attachment.ts'
import { readText, readVariables } from '../../../platform/mime/stored-text.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import type { ContactDataOwner } from '../../audience/contacts/erasure.ts'
import type { Language } from '../../audience/preferences/actions.ts'
import { composeEmail, type RenderedEmail, recipientLanguage, renderEmail } from '../../content/composing/compose.ts'
import { readViewToken, viewUrl } from '../../content/composing/links.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import type { Delivery } from '../delivery/deliver.ts'
import * as queries from './queries.ts'
import { showEmail, subjectOf } from './show.ts'

/**
 * `await setImmediate()` in this file: an attachment can have megabytes, and each step takes milliseconds. Other requests
 * are served in between.
 */

const DAY_MS = 24 * 3_600_000

const PRIORITIES: Record<string, number> = { CAMPAIGN: PRIORITY.campaign, WORKFLOW: PRIORITY.workflow }

const RESENDABLE = ['FAILED', 'CANCELLED']

/** The status never returns to an earlier one once the email was sent. */
const REASONS: Record<string, string> = {
  SCHEDULED: 'it is scheduled',
  PENDING: 'it is waiting to be sent',
  SENDING: 'it is being sent',
  BOUNCED: 'it bounced permanently. Check the address and send a new email',
  RECEIVED: 'it was received, not sent',
}

export async function getEmail(ctx: Context, projectId: string, id: string) {
  const row = await requireEmail(ctx, projectId, id)
  const [rendered, timeline, templateVersion] = await Promise.all([
    render(ctx, row),
    queries.listTimeline(ctx.db, projectId, id),
    queries.findTemplateVersion(ctx.db, projectId, row),
  ])
  return {
    ...showEmail(row, row.subject ?? rendered?.subject ?? row.content_subject ?? ''),
    templateVersion: templateVersion ?? null,
    html: rendered?.html ?? null,
    text: rendered?.text ?? null,
    attachments: row.attachments.map(showAttachment),
    timeline: [
      ...beginningOf(row),
      ...eventsOfTest(row),
      ...timeline.map(showEntry),
      ...endOf(row, timeline.at(-1)?.name === FAILED),
    ],
  }
}

function beginningOf({ source_type, created_at, scheduled_for, queued_at }: FoundEmail) {
  if (scheduled_for === null)
    return [{ event: source_type === 'INBOUND' ? 'received' : 'queued', at: created_at, data: {} }]
  const scheduled = { event: 'scheduled', at: created_at, data: { scheduledFor: scheduled_for } }
  return queued_at === null ? [scheduled] : [scheduled, { event: 'queued', at: queued_at, data: {} }]
}

/** Test emails have no events. */
function eventsOfTest(email: FoundEmail) {
  if (!isTest(email)) return []
  const events = [
    { event: 'email.sent', at: email.sent_at },
    { event: 'email.delivery', at: email.delivered_at },
  ]
  return events.flatMap(({ event, at }) => (at ? [{ event, at, data: {} }] : []))
}

const FAILED = 'email.failed'

/**
 * Cancellation has no event: only the row shows it, until the email is sent again. The same applies to a failure of an
 * email without a contact, and to one from before failures were recorded as events.
 */
function endOf({ status, updated_at, error }: FoundEmail, failureIsShown: boolean) {
  if (status !== 'CANCELLED' && (status !== 'FAILED' || failureIsShown)) return []
  return [{ event: status.toLowerCase(), at: updated_at, data: {}, ...(error ? { words: error } : {}) }]
}

const showAttachment = ({ filename, contentType, contentId, disposition, size }: DescribedAttachment) => ({
  filename,
  contentType,
  contentId: contentId ?? null,
  disposition,
  size,
})

/** One attachment of an email, by its index in the list. */
export async function getAttachment(ctx: Context, projectId: string, id: string, place: string) {
  const row = await requireEmail(ctx, projectId, id)
  const position = /^\d{1,4}$/.test(place) ? Number(place) : -1
  const file = row.attachments[position]
  if (!file) throw notFound('attachment', place)
  const content =
    row.decryptedAttachments?.[position]?.content ??
    (await queries.readAttachment(ctx.db, projectId, row.content_id, position))
  if (content === undefined) throw notFound('attachment', place)
  await setImmediate()
  return { filename: file.filename, contentType: file.contentType, bytes: Buffer.from(content, 'base64') }
}

function showEntry({ name, data, at, kind, words }: queries.TimelineRow) {
  if (kind === 'bot.open') return { event: 'open', at, data: { isBot: true } }
  if (kind === 'bot.click') return { event: 'click', at, data: { isBot: true, link: words } }
  if (name === FAILED) return { event: 'failed', at, data: {}, words: String(data?.error ?? '') }
  return { event: name ?? kind ?? '', at, data: data ?? {}, ...(words ? { words } : {}) }
}

/** The message as it is sent over SMTP. */
export async function getRawEmail(ctx: Context, delivery: Delivery, projectId: string, id: string): Promise<Buffer> {
  const row = await requireEmail(ctx, projectId, id)
  // A received message is never composed again, because it would be signed with our key.
  if (row.source_type === 'INBOUND')
    throw badRequest('Only the content of received emails is stored, not the raw message.')
  const rendered = await render(ctx, row)
  if (!isKept(row)) throw badRequest('The content of this email is no longer stored.')
  if (!rendered)
    throw badRequest(`This email could not be rendered: ${row.error ?? 'its template exceeds the rendering limits'}`)
  const attachments = await readAttachments(ctx, row)
  await setImmediate()
  const raw = await composeEmail(ctx, { ...row, attachments }, rendered)
  const sent = { ...row, created_at: row.queued_at ?? row.created_at }
  return ctx.mail.capabilities.signing === 'by-provider' ? raw : delivery.signAgain(sent, raw)
}

/** Returns the email as the lists show it. */
export async function getEmailRecord(ctx: Context, projectId: string, id: string) {
  const row = await findRow(ctx, projectId, id)
  return showEmail(row, await subjectOf(ctx, row))
}

/** Undefined if it can't be rendered or its content was deleted. */
export async function findEmailHtml(ctx: Context, projectId: string, id: string): Promise<string | undefined> {
  return (await render(ctx, await requireEmail(ctx, projectId, id)))?.html
}

export type EmailView =
  | { html: string }
  /** The language of the recipient, if the email is still stored. */
  | { missing: 'unknown' | 'emailGone' | 'emailErased'; language?: Language }

/**
 * The page behind `viewInBrowserUrl`: the email as it was sent, without the pixel. Its links stay tracked: a click on
 * the page is a click of the recipient.
 */
export async function viewEmail(ctx: Context, token: string): Promise<EmailView> {
  const email = readViewToken(ctx.secrets, token)
  if (!email) return { missing: 'unknown' }
  const found = await queries.findEmail(ctx.db, email.projectId, email.emailId)
  if (!found) return { missing: 'emailGone' }
  const row = await readable(ctx, found)
  const language = recipientLanguage(row)
  if (row.to_email === '') return { missing: 'emailErased', language }
  // A disabled project may have been used for phishing, so its pages are not shown either.
  const rendered = row.project_disabled_at === null ? await render(ctx, row, { pixel: false }) : undefined
  return rendered
    ? {
        html:
          withInlineImages(rendered.html, await readAttachments(ctx, row)) +
          hiddenLink(viewUrl(ctx.secrets, '', email)),
      }
    : { missing: 'emailGone', language }
}

/** Hides the link to the page on the page itself. The path contains no character that CSS would need escaped. */
const hiddenLink = (path: string) => `<style>a[href$="${path}"]{display:none!important}</style>`

/** The limit for all images in a page; one that is shown a thousand times would need gigabytes. */
const INLINE_CHARACTERS_MAX = 20_000_000

/** Browsers don't load `cid:` URLs. */
export function withInlineImages(html: string, attachments: StoredAttachment[]): string {
  const images = attachments.filter(({ contentId, contentType }) => contentId && contentType.startsWith('image/'))
  const urls = new Map(images.map((image) => [image.contentId, `data:${image.contentType};base64,${image.content}`]))
  let left = INLINE_CHARACTERS_MAX
  return html.replace(/cid:([^"'\s<>)]+)/g, (reference, contentId: string) => {
    const url = urls.get(contentId)
    if (!url || left < url.length) return reference
    left -= url.length
    return url
  })
}

async function findRow(ctx: Context, projectId: string, id: string) {
  const row = await queries.findEmail(ctx.db, projectId, id)
  if (!row) throw notFound('email', id, reasonForAbsence(ctx, id))
  return row
}

function reasonForAbsence({ settings: { EMAIL_RETENTION_DAYS: days }, clock }: Context, id: string) {
  const isOld = days > 0 && isId(id) && timeOfId(id).getTime() < clock.now().getTime() - days * DAY_MS
  return isOld ? `This email is older than the retention period of ${days} days, so it is no longer stored.` : undefined
}

const requireEmail = async (ctx: Context, projectId: string, id: string) =>
  readable(ctx, await findRow(ctx, projectId, id))

/** Decrypted, and with the settings that the email was or would be sent with. */
async function readable(ctx: Context, { described, ...row }: Awaited<ReturnType<typeof findRow>>) {
  await setImmediate()
  const text = readText(ctx.secrets, row.content_id, { ...row, attachments: null as StoredAttachment[] | null })
  // An email that an older version claimed has a tracking setting but no language: its footer was English.
  const language = row.language ?? (row.tracking === null ? row.project_language : 'en')
  return {
    ...row,
    ...text,
    attachments: text.attachments?.map(describe) ?? described ?? [],
    decryptedAttachments: text.attachments,
    variables: readVariables(ctx.secrets, row),
    language,
    tracking: row.tracking ?? row.project_tracking,
  }
}

const describe = ({ content, ...attachment }: StoredAttachment): DescribedAttachment => ({
  ...attachment,
  size: decodedBytes(content),
})

/** Returns the attachments with their contents. */
async function readAttachments(ctx: Context, row: FoundEmail): Promise<StoredAttachment[]> {
  if (row.decryptedAttachments || row.attachments.length === 0) return row.decryptedAttachments ?? []
  const json = await queries.readAttachments(ctx.db, row.project_id, row.content_id)
  await setImmediate()
  return json === undefined ? [] : JSON.parse(json)
}

type FoundEmail = Awaited<ReturnType<typeof requireEmail>>
type StoredEmail = FoundEmail & {
  content_subject: string
  content_body: string
  content_type: string
}

/** Whether the content was neither erased with its contact nor deleted by retention. */
const isKept = (row: FoundEmail): row is StoredEmail => row.content_body !== null && row.to_email !== ''

async function render(ctx: Context, row: FoundEmail, options = {}): Promise<RenderedEmail | undefined> {
  if (!isKept(row)) return undefined
  try {
    return await renderEmail(ctx, row, options)
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}

/** Sends the same email, with its Message-ID. */
export async function resendEmail(ctx: Context, projectId: string, id: string) {
  const email = await getEmailRecord(ctx, projectId, id)
  if (!RESENDABLE.includes(email.status)) throw notResendable(REASONS[email.status] ?? 'it was already sent')
  await requireVerifiedSender(ctx, projectId, email.from)
  const priority = PRIORITIES[email.sourceType] ?? PRIORITY.transactional
  const { requeued, undeliverable } = await queries.requeueEmail(ctx.db, projectId, id, priority, ctx.clock.now())
  if (!requeued) throw notResendable(undeliverable || REASONS.PENDING!)
  return getEmailRecord(ctx, projectId, id)
}

const notResendable = (reason: string) => conflict(`This email can't be sent again: ${reason}.`)

/** Retries the failed emails of a campaign, with all attempts available again. Returns how many. */
export const retryCampaignEmails = (ctx: Context, tx: Tx, projectId: string, campaignId: string): Promise<number> =>
  queries.retryFailedEmails(tx, projectId, campaignId, ctx.clock.now())

/** Cancels emails that are not being sent yet, in the transaction that cancels the campaign. */
export const cancelCampaignEmails = (ctx: Context, tx: Tx, projectId: string, campaignId: string): Promise<void> =>
  queries.cancelPendingEmails(tx, projectId, campaignId, ctx.clock.now())

const ERASE_AT_ONCE = 500

/** When contacts are deleted: cancels what wasn't sent, then erases the rest. */
export const emailsToContacts: ContactDataOwner = {
  stop: queries.stopUnsent,
  erase: async (db, projectId, contactIds, now) =>
    (await queries.eraseEmails(db, projectId, contactIds, now, ERASE_AT_ONCE)) +
    (await queries.eraseTestEmails(db, projectId, contactIds, now)),
  busyUntil: queries.findLease,
}
