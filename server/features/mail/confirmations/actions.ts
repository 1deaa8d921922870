/**
 * Double opt-in: the email that asks a contact to confirm its subscription, and the confirmation. Contacts are marked as
 * pending and this email is enqueued by the feature `contacts`.
 */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import {
  type ConfirmationSubject,
  confirmationToken,
  readConfirmationToken,
} from '../../../kernel/consent/confirmation-token.ts'
import { textColorOn } from '../../../kernel/content/colors.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import { isDatabaseUnavailable, transaction } from '../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { escapeHtml } from '../../../platform/rendering/parser.ts'
import { confirmContact, isRequestOpen } from '../../audience/contacts/confirmations.ts'
import { completeSignups } from '../../audience/forms/actions.ts'
import { type Language, languageOf, type Sender } from '../../audience/preferences/actions.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import { getTemplateForSending } from '../../content/templates/actions.ts'
import * as queries from './queries.ts'
import { CONFIRMATION_TEXTS } from './texts.ts'

const TOGETHER = { batchMax: 50, concurrency: 2 }
const VALID_MS = 7 * 24 * 3600_000

/** `used`: this or another link of the contact was used, or the contact has opted out since. */
export type ConfirmationState = 'open' | 'done' | 'used' | 'expired' | 'gone'

export interface Confirmation extends Sender {
  state: ConfirmationState
  language: Language
  email: string
  redirectUrl: string | null
}

/** `unknown`: the link is not ours. `gone`: the project was deleted. */
export type FoundConfirmation = Confirmation | 'unknown' | 'gone'

export async function readConfirmation(ctx: Context, token: string): Promise<FoundConfirmation> {
  const subject = readConfirmationToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  const row = await queries.findConfirmation(ctx.db, subject)
  if (!row) return 'gone'
  const state = isExpired(ctx, subject) ? 'expired' : stateOf(await isRequestOpen(ctx, subject))
  return {
    state,
    projectName: row.project_name,
    projectLanguage: row.project_language,
    branding: row.branding,
    language: languageOf(row.locale, row.project_language),
    email: row.email ?? '',
    redirectUrl: row.redirect_url,
  }
}

const stateOf = (isOpen: boolean | undefined): ConfirmationState =>
  isOpen === undefined ? 'gone' : isOpen ? 'open' : 'used'

const isExpired = (ctx: Context, { requestedAt }: ConfirmationSubject): boolean =>
  requestedAt.getTime() + VALID_MS <= ctx.clock.now().getTime()

type Visitor = Pick<ConsentCause, 'ip' | 'userAgent'>

/** Subscribes the contact of a link, once. */
export async function useConfirmation(ctx: Context, token: string, visitor: Visitor): Promise<FoundConfirmation> {
  const found = await readConfirmation(ctx, token)
  if (typeof found === 'string' || found.state !== 'open') return found
  const cause: ConsentCause = {
    source: 'confirmation',
    ...visitor,
    text: fill(CONFIRMATION_TEXTS[found.language].text, found),
  }
  const subject = readConfirmationToken(ctx.secrets, token)!
  const isConfirmed = await transaction(ctx.db, async (tx) => {
    const isOpen = await confirmContact(ctx, tx, subject, cause)
    if (isOpen) await completeSignups(ctx, tx, { ...subject, cause })
    return isOpen
  })
  return { ...found, state: isConfirmed ? 'done' : 'used' }
}

const fill = (text: string, { projectName, email }: Pick<Confirmation, 'projectName' | 'email'>): string =>
  text.replace(/\{\w+\}/g, (name) => (name === '{email}' ? email : projectName))

/** After a form is published, many contacts ask at the same time, so their emails share statements. */
export function createConfirmations(ctx: Context) {
  const retryAlone = (error: unknown) => !isDatabaseUnavailable(error)
  const find = createBatcher((subjects: ConfirmationSubject[]) => queries.findConfirmations(ctx.db, subjects), {
    ...TOGETHER,
    retryAlone,
  })
  const insert = createBatcher(
    async (emails: queries.ConfirmationEmail[]) => {
      await queries.insertConfirmations(ctx.db, ctx.secrets, emails)
      return emails.map(() => undefined)
    },
    { ...TOGETHER, retryAlone },
  )

  return {
    /** A later request has its own email. */
    async send({ projectId, contactId, requestedAt }: JobCatalogue['send-confirmation']): Promise<void> {
      const subject = { projectId, contactId, requestedAt: new Date(requestedAt) }
      const row = await find(subject)
      if (!row?.email || !row.is_latest || row.disabled) return
      await insert({ message: await messageOf(ctx, subject, row), subject })
    },
  }
}

async function messageOf(ctx: Context, subject: ConfirmationSubject, row: queries.ConfirmationRow) {
  const { projectId } = subject
  const confirmUrl = `${ctx.baseUrl}/confirm/${confirmationToken(ctx.secrets, subject)}`
  const { content, envelope } =
    (await ownMessage(ctx, projectId, row.template_id, confirmUrl)) ?? standardMessage(ctx, row, confirmUrl)
  const now = ctx.clock.now()
  return { projectId, now, content: { ...content, id: newId(now), type: 'TRANSACTIONAL' as const }, envelope }
}

/** Undefined if the project has no template for it, or the template was deleted. */
async function ownMessage(
  ctx: Context,
  projectId: string,
  templateId: string | null,
  confirmUrl: string,
): Promise<queries.ConfirmationMessage | undefined> {
  if (!templateId) return undefined
  try {
    const template = await getTemplateForSending(ctx, projectId, templateId)
    const { subject, body, from, fromName, replyTo, preheader, text } = template
    return {
      content: { subject, body: withPreheader(body, preheader ?? null), plain: text ?? null },
      envelope: { fromEmail: from, fromName, replyTo, subject: null, variables: { confirmUrl }, templateId },
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** From the project's own domain if it has one. */
function standardMessage(ctx: Context, row: queries.ConfirmationRow, confirmUrl: string): queries.ConfirmationMessage {
  const texts = CONFIRMATION_TEXTS[languageOf(row.locale, row.project_language)]
  const facts = { projectName: row.project_name, email: row.email! }
  const [subject, text, ignore] = [texts.subject, texts.text, texts.ignore].map((part) => fill(part, facts)) as [
    string,
    string,
    string,
  ]
  const color = row.branding.color ?? '#1f2937'
  const body = `<div lang="${languageOf(row.locale, row.project_language)}" style="max-width:480px;margin:0 auto;padding:24px;font:16px/1.5 sans-serif;color:#1f2937">
<p>${escapeHtml(text)}</p>
<p style="margin:28px 0"><a href="${escapeHtml(confirmUrl)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${escapeHtml(color)};color:${textColorOn(color)};text-decoration:none;font-weight:600">${escapeHtml(texts.button)}</a></p>
<p style="color:#6b7280;font-size:14px">${escapeHtml(ignore)}</p>
</div>`
  const plain = `${text}\n\n${texts.button}:\n${confirmUrl}\n\n${ignore}\n`
  const fromEmail = row.domain ? `no-reply@${row.domain}` : ctx.settings.SYSTEM_FROM
  return {
    content: { subject, body, plain, literal: true },
    envelope: { fromEmail, fromName: row.project_name, replyTo: null, subject },
  }
}
