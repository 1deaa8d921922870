/**
 * Accepts emails submitted over SMTP like POST /v1/send: the same validation, statement and idempotency keys. The
 * content is not a template, so it is sent unchanged.
 */

import { causeOfKey } from '../../../kernel/consent/cause.ts'
import { OUTPUT_MAX } from '../../../kernel/content/template-limits.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { CallerKey } from '../../../kernel/scopes.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import type { MessageReader } from '../../../platform/mime/message-reader.ts'
import type { ParsedMessage } from '../../../platform/mime/parse-message.ts'
import type { Outbox } from '../outbox/actions.ts'
import { checkSendRequest } from '../outbox/schemas.ts'
import { submittedRequest } from './message.ts'

export interface Submission {
  sender: string
  recipients: string[]
  raw: Buffer
}

/** The gate's idempotency keys. Passed in, because features don't import the gate. */
export interface IdempotencyKeys {
  /** Claims a key for a request, or returns the request that has it. */
  claim(
    projectId: string,
    key: string,
    use: { request: string },
  ): Promise<{ claim: IdempotencyClaim; first?: undefined } | { first: FirstRequest }>
  /** Records that the request failed with this status. */
  recordFailure(projectId: string, claim: IdempotencyClaim, status: number): Promise<void>
}

interface FirstRequest {
  status_code: number | null
  response: unknown
}

const KEY = /^[ -~]{1,255}$/
const REQUEST = 'SMTP submission'

/** Returns the ids of the emails; for a repeated idempotency key, those of the first message. */
export async function acceptSubmission(
  reader: MessageReader,
  keys: IdempotencyKeys,
  outbox: Outbox,
  { projectId, known }: { projectId: string; known: CallerKey },
  submission: Submission,
): Promise<string[]> {
  const message = await reader.parse(submission.raw, projectId)
  refuseLongText(message)
  const { request, prepared, idempotencyKey: key } = submittedRequest(message, submission)
  const input = checkSendRequest(request)
  const mode = { prepared, test: known.test, via: 'smtp', cause: causeOfKey(known) } as const
  const send = async (claim?: IdempotencyClaim) => idsOf(await outbox.send(projectId, input, claim, mode))
  if (key === undefined) return send()
  if (!KEY.test(key)) throw refusal('X-Idempotency-Key must have 1 to 255 printable ASCII characters.')

  const claimed = await keys.claim(projectId, key, { request: REQUEST })
  if (claimed.first) return idsOfFirst(claimed.first)
  try {
    return await send(claimed.claim)
  } catch (error) {
    await keys.recordFailure(
      projectId,
      claimed.claim,
      error instanceof Refusal ? 400 : isDatabaseUnavailable(error) ? 503 : 500,
    )
    throw error
  }
}

/** The limit of rendered emails, so that one message doesn't delay others while it is stored and composed. */
function refuseLongText({ html, text }: ParsedMessage): void {
  const length = Math.max(html?.length ?? 0, text?.length ?? 0)
  if (length <= OUTPUT_MAX) return
  const message = `The text has ${length} characters. The maximum is ${OUTPUT_MAX}; send the rest as an attachment.`
  throw new Refusal('too-large', 'PAYLOAD_TOO_LARGE', message)
}

const idsOf = ({ data }: { data: { emails: Array<{ email: string }> } }): string[] =>
  data.emails.map(({ email }) => email)

/** A client that missed our response sends the message again: it gets the same response, and nothing is sent twice. */
function idsOfFirst(first: FirstRequest): string[] {
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

const refusal = (message: string) => new Refusal('invalid', 'VALIDATION_ERROR', message)
