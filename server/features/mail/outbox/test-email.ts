/** Test emails of templates and campaigns: rendered as the real ones, without a contact, and not counted. */
import type { Context } from '../../../context.ts'
import type { ContentSource, ContentType } from '../../../kernel/content/mail-content.ts'
import { conflict, notFound, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { isSuppressed } from '../../audience/suppressions/actions.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import { compileContent } from '../../content/documents/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { requireWithinLimit } from '../../tenants/usage/actions.ts'
import { storedMessage } from './queries.ts'
import { contactExists, countTestEmails, insertTestEmail } from './test-queries.ts'

const PREFIX = '[TEST] '

/** A project's tests are sent to its team; more than this is a mistake or abuse. */
const PER_MINUTE_MAX = 20
const MINUTE_MS = 60_000

export interface TestContent {
  subject: string
  body: string
  text: string | null
  preheader: string | null
  type: ContentType
  from: string
  fromName: string | null
  replyTo: string | null
  /** What its template has besides the contact's data. */
  data?: Record<string, unknown> | null
}

export interface TestRecipient {
  email: string
  /** The contact whose data is used; that of the address by default. */
  contactId?: string | null | undefined
}

/** Sends a test of content that isn't saved. */
export async function sendTestDraft(
  ctx: Context,
  projectId: string,
  { body, document, mjml, ...rest }: Omit<TestContent, 'body'> & ContentSource,
  recipient: TestRecipient,
): Promise<string> {
  await refuseBrokenLiquid(ctx.renderer, projectId, liquidOf({ ...rest, body }))
  const compiled = (await compileContent(ctx, projectId, { body, document, mjml }))!
  return sendTestEmail(ctx, projectId, { ...rest, body: compiled.body }, recipient)
}

type TestTexts = Pick<TestContent, 'subject' | 'text' | 'preheader'> & Pick<ContentSource, 'body'>

const liquidOf = ({ subject, body, text, preheader }: TestTexts) => ({
  subject,
  body,
  text: text ?? undefined,
  preheader: preheader ?? undefined,
})

/** Returns the id of the email. */
export async function sendTestEmail(
  ctx: Context,
  projectId: string,
  { subject, body, text, preheader, type, from, fromName, replyTo, data }: TestContent,
  { email: to, contactId }: TestRecipient,
): Promise<string> {
  await refuseBrokenLiquid(ctx.renderer, projectId, liquidOf({ subject, body, text, preheader }))
  await requireVerifiedSender(ctx, projectId, from)
  if (type !== 'TRANSACTIONAL' && (await isSuppressed(ctx.db, projectId, to)))
    throw conflict(`${to} is suppressed, so it receives only transactional email.`, {
      suggestion: 'Send the test to another address, or remove the suppression with DELETE /suppressions/{email}.',
    })
  if (contactId && !(await contactExists(ctx.db, projectId, contactId))) throw notFound('contact', contactId)
  await requireWithinLimit(ctx, projectId, 'campaigns', 1)
  const now = ctx.clock.now()
  const emailId = newId(now)
  const message = {
    projectId,
    now,
    content: { id: newId(now), subject: PREFIX + subject, body: withPreheader(body, preheader), plain: text, type },
    envelope: { fromEmail: from, fromName, replyTo, subject: null, variables: data ?? {} },
  }
  await transaction(ctx.db, async (tx) => {
    refuseManyTests(await countTestEmails(tx, projectId, new Date(now.getTime() - MINUTE_MS)))
    await insertTestEmail(tx, storedMessage(ctx.secrets, message), { emailId, to, contactId: contactId ?? null })
  })
  return emailId
}

function refuseManyTests(recent: number): void {
  if (recent < PER_MINUTE_MAX) return
  throw new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `A project can send at most ${PER_MINUTE_MAX} test emails per minute.`,
    { details: { retryAfter: MINUTE_MS / 1000, limit: PER_MINUTE_MAX }, suggestion: 'Try again in a minute.' },
  )
}
