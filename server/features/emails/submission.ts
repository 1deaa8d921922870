/**
 * Mail that is handed in over SMTP goes the road of POST /v1/send: the same checks, the same statement, the same key of
 * idempotency. Its text is nobody's template, so it goes out as it came.
 */
import type { Context } from '../../context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { parseMessage } from '../../platform/mail/parse-message.ts'
import { claimIdempotencyKey, keepIdempotencyKey, releaseIdempotencyKey } from '../projects/actions.ts'
import { sendEmails } from './actions.ts'
import { type SendInput, SendRequest } from './schemas.ts'
import { type Submitted, submittedRequest } from './submission-message.ts'

export interface Submission {
  sender: string
  recipients: string[]
  raw: Buffer
}

const KEY = /^[ -~]{1,255}$/
const REQUEST = 'SMTP submission'

/** The ids of the emails, also of those that an earlier message with the same key became. */
export async function acceptSubmission(ctx: Context, projectId: string, submission: Submission): Promise<string[]> {
  const submitted = submittedRequest(await parseMessage(submission.raw), submission)
  const input = checked(submitted.request)
  const key = submitted.idempotencyKey
  if (key === undefined) return idsOf(await send(ctx, projectId, input, submitted))
  if (!KEY.test(key)) throw refusal('X-Idempotency-Key has 1 to 255 printable ASCII characters.')

  const first = await claimIdempotencyKey(ctx, projectId, key, REQUEST)
  if (first) return idsOfFirst(first)
  try {
    return idsOf(await send(ctx, projectId, input, submitted, key))
  } catch (error) {
    if (error instanceof Refusal) await releaseIdempotencyKey(ctx, projectId, key)
    else await keepIdempotencyKey(ctx, projectId, key, 500)
    throw error
  }
}

const send = (ctx: Context, projectId: string, input: SendInput, { plain }: Submitted, key?: string) =>
  sendEmails(ctx, projectId, input, key, { plain })

const idsOf = ({ data }: { data: { emails: Array<{ email: string }> } }): string[] =>
  data.emails.map(({ email }) => email)

/** What POST /v1/send would refuse is refused here, with the first reason in words. */
function checked(request: Record<string, unknown>): SendInput {
  const read = SendRequest.safeParse(request)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw refusal(`${path.join(' ')}: ${message}`)
}

/** A program that missed our answer sends again: it gets the answer, and nothing is sent twice. */
function idsOfFirst(first: { status_code: number | null; response: unknown }): string[] {
  const emails = (first.response as { emails?: Array<{ email: string }> } | null)?.emails
  if (emails) return emails.map(({ email }) => email)
  if (first.status_code === null) {
    throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'A message with this X-Idempotency-Key is being taken in.')
  }
  throw new Refusal('conflict', 'IDEMPOTENCY_KEY_REUSED', 'This X-Idempotency-Key was used before in this project.')
}

const refusal = (words: string) => new Refusal('invalid', 'VALIDATION_ERROR', words)
