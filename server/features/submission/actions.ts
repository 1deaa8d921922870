/**
 * Mail submitted over SMTP is accepted like POST /v1/send: the same checks, the same statement, the same idempotency
 * keys. Its text is not a template, so it is sent as it is.
 */
import { Refusal } from '../../kernel/errors.ts'
import { parseMessage } from '../../platform/mail/parse-message.ts'
import { checkSendRequest, type Outbox } from '../outbox/actions.ts'
import { submittedRequest } from './message.ts'

export interface Submission {
  sender: string
  recipients: string[]
  raw: Buffer
}

/** Idempotency keys as the gate keeps them. Passed in, because features don't import the gate. */
export interface IdempotencyKeys {
  /** Claims a key for a request, or returns the request that has it. */
  claim(
    projectId: string,
    key: string,
    request: string,
  ): Promise<{ status_code: number | null; response: unknown } | undefined>
  release(projectId: string, key: string): Promise<void>
  keep(projectId: string, key: string, status: number): Promise<void>
}

const KEY = /^[ -~]{1,255}$/
const REQUEST = 'SMTP submission'

/** Returns the ids of the emails; for a repeated idempotency key, those of the first message. */
export async function acceptSubmission(
  keys: IdempotencyKeys,
  outbox: Outbox,
  projectId: string,
  submission: Submission,
): Promise<string[]> {
  const { request, plain, idempotencyKey: key } = submittedRequest(await parseMessage(submission.raw), submission)
  const input = checkSendRequest(request)
  const send = async () => idsOf(await outbox.send(projectId, input, key, { plain }))
  if (key === undefined) return send()
  if (!KEY.test(key)) throw refusal('X-Idempotency-Key must have 1 to 255 printable ASCII characters.')

  const first = await keys.claim(projectId, key, REQUEST)
  if (first) return idsOfFirst(first)
  try {
    return await send()
  } catch (error) {
    if (error instanceof Refusal) await keys.release(projectId, key)
    else await keys.keep(projectId, key, 500)
    throw error
  }
}

const idsOf = ({ data }: { data: { emails: Array<{ email: string }> } }): string[] =>
  data.emails.map(({ email }) => email)

/** A program that missed our answer sends again: it gets the answer, and nothing is sent twice. */
function idsOfFirst(first: { status_code: number | null; response: unknown }): string[] {
  const emails = (first.response as { emails?: Array<{ email: string }> } | null)?.emails
  if (emails) return emails.map(({ email }) => email)
  if (first.status_code === null) {
    throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'A message with this X-Idempotency-Key is being processed.')
  }
  throw new Refusal(
    'conflict',
    'IDEMPOTENCY_KEY_REUSED',
    'This X-Idempotency-Key has already been used in this project.',
  )
}

const refusal = (words: string) => new Refusal('invalid', 'VALIDATION_ERROR', words)
