/**
 * POST /v1/send/batch: the messages of a request are checked one by one and stored in one transaction, nearly always by one
 * statement.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { docsUrlOf } from '../../../kernel/error-codes.ts'
import { type FieldProblem, invalid, invalidField, Refusal } from '../../../kernel/errors.ts'
import { currentSpan } from '../../../kernel/tracing.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { createSameRequestCheck } from '../../audience/contacts/actions.ts'
import { completeKey, type EmailsToAccept, insertEmails } from './accept-queries.ts'
import {
  acceptedEmails,
  type FindTemplate,
  type MessageExtras,
  type PreparedRequest,
  prepareRequest,
  type SendMode,
  templateFinder,
} from './prepare.ts'
import { attachmentsJson } from './queries.ts'
import type { SendInput } from './schemas.ts'

/** In all messages together, so that a batch stays one statement of a few seconds. */
const RECIPIENTS_MAX = 10_000
/** So many messages are checked in a few milliseconds. Other requests are served in between. */
const CHECKED_AT_ONCE = 20

/** A message as it was read: valid, or refused. */
export type ReadMessage = { input: SendInput; extras?: MessageExtras } | { refusal: Refusal }

interface Checked {
  index: number
  input: SendInput
  request: PreparedRequest
}

type Results = Map<number, ReturnType<typeof acceptedEmails> | Refusal>

export interface Batch extends Omit<SendMode, keyof MessageExtras> {
  messages: ReadMessage[]
  /** All of them, or none. */
  atomic: boolean
}

export async function acceptBatch(
  ctx: Context,
  projectId: string,
  { messages, atomic, ...mode }: Batch,
  idempotencyKey: IdempotencyClaim | undefined,
  priorityOf: (emails: number) => number,
) {
  refuseManyRecipients(messages)
  const refused: Results = new Map()
  const checked = await checkMessages(ctx, projectId, messages, mode, refused)
  if (atomic) refuseAny(refused)
  const priority = priorityOf(checked.reduce((sum, { request }) => sum + request.recipients.length, 0))
  const timestamp = ctx.clock.now()
  const data = await transaction(ctx.db, async (tx) => {
    const results: Results = new Map(refused)
    for (const group of groupsOf(checked)) await acceptGroup(ctx, tx, group, priority, results)
    if (atomic) refuseAny(results)
    const reply = replyOf(ctx, messages.length, results, timestamp)
    if (idempotencyKey) await completeKey(tx, projectId, idempotencyKey, reply)
    return reply
  })
  return { success: true as const, data }
}

function refuseManyRecipients(messages: ReadMessage[]): void {
  const recipients = messages.reduce((sum, message) => sum + ('input' in message ? message.input.to.length : 0), 0)
  if (recipients <= RECIPIENTS_MAX) return
  const message = `The messages have ${recipients} recipients in all; the maximum is ${RECIPIENTS_MAX}. Divide them into several batches.`
  throw invalidField('messages', message, 'too_big')
}

async function checkMessages(
  ctx: Context,
  projectId: string,
  messages: ReadMessage[],
  mode: SendMode,
  refused: Results,
): Promise<Checked[]> {
  const checked: Checked[] = []
  const findTemplate = rememberTemplates(templateFinder(ctx, projectId))
  for (const [index, message] of messages.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await setImmediate()
    if ('refusal' in message) {
      refused.set(index, message.refusal)
      continue
    }
    const { input, extras } = message
    try {
      checked.push({
        index,
        input,
        request: await prepareRequest(ctx, projectId, input, findTemplate, { ...mode, ...extras }),
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(index, error)
    }
  }
  return checked
}

/** Many messages of a batch have the same template. */
function rememberTemplates(find: FindTemplate): FindTemplate {
  const found = new Map<string, ReturnType<FindTemplate>>()
  return (ref) => {
    const key = JSON.stringify(ref)
    const template = found.get(key) ?? find(ref)
    found.set(key, template)
    return template
  }
}

/** A statement writes each contact once, so messages that change a contact differently are in different ones, in order. */
function groupsOf(checked: Checked[]): Checked[][] {
  const groups: Checked[][] = []
  let mayJoin = createSameRequestCheck()
  for (const each of checked) {
    const group = groups.at(-1)
    if (group && mayJoin(each.request.upsert)) {
      group.push(each)
      continue
    }
    mayJoin = createSameRequestCheck()
    mayJoin(each.request.upsert)
    groups.push([each])
  }
  return groups
}

async function acceptGroup(ctx: Context, tx: Tx, group: Checked[], priority: number, results: Results): Promise<void> {
  const requests: EmailsToAccept[] = []
  for (const { request } of group) {
    if ((request.content.attachments ?? []).length > 0) await setImmediate()
    const content = { ...request.content, attachments: attachmentsJson(request.content.attachments ?? []) }
    const traceparent = currentSpan()?.traceparent
    requests.push({ ...request, content, idempotencyKey: undefined, priority, traceparent })
  }
  const outcomes = await insertEmails(tx, ctx.secrets, requests, { isShared: false })
  for (const [i, { index, input, request }] of group.entries()) {
    try {
      results.set(index, acceptedEmails(outcomes[i]!, input, request))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      results.set(index, error)
    }
  }
}

/** Refuses the whole batch for the messages that are refused: with all invalid fields, or else as the first of them. */
function refuseAny(results: Results): void {
  const refusals = [...results].filter((entry): entry is [number, Refusal] => entry[1] instanceof Refusal)
  refusals.sort(([a], [b]) => a - b)
  const problems = refusals.flatMap(([index, { extras }]) =>
    (extras.problems ?? []).map((each) => inBatch(index, each)),
  )
  if (problems.length > 0) throw invalid(problems)
  for (const [index, { kind, code, message, extras }] of refusals) {
    throw new Refusal(kind, code, message, { ...extras, details: { ...extras.details, index } })
  }
}

const inBatch = (index: number, problem: FieldProblem): FieldProblem => ({
  ...problem,
  field: `messages.${index}${problem.field === '' ? '' : `.${problem.field}`}`,
})

function replyOf({ baseUrl }: Context, count: number, outcomes: Results, timestamp: Date) {
  const results = Array.from({ length: count }, (_, index) => {
    const outcome = outcomes.get(index)!
    return outcome instanceof Refusal
      ? { index, success: false as const, error: errorOf(outcome, baseUrl) }
      : { index, success: true as const, emails: outcome }
  })
  const accepted = results.filter(({ success }) => success).length
  return { accepted, rejected: count - accepted, results, timestamp }
}

const errorOf = ({ code, message, extras: { problems, details, suggestion } }: Refusal, baseUrl: string) => ({
  code,
  message,
  ...(problems && { errors: problems }),
  ...(details && { details }),
  ...(suggestion && { suggestion }),
  docsUrl: docsUrlOf(baseUrl, code),
})
