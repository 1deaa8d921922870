/** Sends the messages of other services' requests through the outbox. */
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { causeOfKey } from '../../../kernel/consent/cause.ts'
import { type FieldProblem, Refusal } from '../../../kernel/errors.ts'
import type { CallerKey } from '../../../kernel/scopes.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { validate } from '../../../platform/http/route.ts'
import { findUnknownFields } from '../../../platform/http/unknown-fields.ts'
import type { Outbox } from '../outbox/actions.ts'
import type { ReadMessage } from '../outbox/batch.ts'
import {
  type Address,
  type Checked,
  type CompatMessage,
  checkMessage,
  type FieldNames,
  renamed,
  renamedProblem,
} from './message.ts'

const MEGABYTE = 1024 * 1024
/** What a request can become, as a batch of POST /v1/send/batch. */
export const STORED_MAX_MB = 40
/** So many messages are checked in a few milliseconds. Other requests are served in between. */
const CHECKED_AT_ONCE = 20

/** Who sends. */
export interface Sender {
  projectId: string
  /** What a test key sends is never delivered. */
  key?: Pick<CallerKey, 'id' | 'name' | 'test'>
}

const modeOf = (key: Sender['key']) => ({ test: key?.test, cause: causeOfKey(key) })

/** A message, and what the service calls its fields. */
export interface Outgoing {
  message: CompatMessage
  names: FieldNames
}

/** Stores one message. Returns the ID of its email. */
export async function sendMessage(
  outbox: Outbox,
  { projectId, key }: Sender,
  { message, names }: Outgoing,
  idempotencyKey?: IdempotencyClaim,
): Promise<string> {
  const { input, extras } = checkMessage(message, names)
  try {
    const { data } = await outbox.send(projectId, input, idempotencyKey, { ...extras, ...modeOf(key) })
    return data.emails[0]!.email
  } catch (error) {
    throw renamed(error, names, extras.shownInTo)
  }
}

/** Checks messages as sending them does, and stores nothing. Without a project, only their form. */
export async function checkMessages(outbox: Outbox, projectId: string, outgoing: Outgoing[]): Promise<void> {
  for (const group of groupsOf(outgoing)) {
    const checked = checkGroup(group)
    try {
      if (projectId !== '') await outbox.check(projectId, [checked])
    } catch (error) {
      throw renamed(error, group.names, checked.extras.shownInTo)
    }
  }
}

/** Stores all messages or, if one of them is refused, none. Returns the IDs of their emails, in order. */
export async function sendAll(outbox: Outbox, { projectId, key }: Sender, outgoing: Outgoing[]): Promise<string[]> {
  const groups = groupsOf(outgoing)
  refuseTooLarge(groups)
  const messages: Checked[] = []
  for (const [index, group] of groups.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await setImmediate()
    messages.push(checkGroup(group))
  }
  try {
    const { data } = await outbox.sendBatch(projectId, { messages, atomic: true, ...modeOf(key) })
    return data.results.flatMap((result) => (result.success ? result.emails.map(({ email }) => email) : []))
  } catch (error) {
    const place = placeOf(error)
    throw renamed(error, groups[place]?.names ?? {}, messages[place]?.extras.shownInTo)
  }
}

/** Messages that differ only in their one recipient are stored as one content. */
interface Group extends Outgoing {
  recipients: Address[]
}

function groupsOf(outgoing: Outgoing[]): Group[] {
  const groups: Group[] = []
  for (const each of outgoing) {
    const last = groups.at(-1)
    if (last && isSame(last.message, each.message)) last.recipients.push(...each.message.to)
    else groups.push({ ...each, recipients: [...each.message.to] })
  }
  return groups
}

/** Large parts are the same objects, so they are compared by reference. */
function isSame(a: CompatMessage, b: CompatMessage): boolean {
  const single = [a, b].every(
    ({ to, cc = [], bcc = [], template }) =>
      to.length === 1 && cc.length + bcc.length === 0 && Object.keys(template?.data ?? {}).length === 0,
  )
  const { subject, html, text, attachments } = b
  return (
    single &&
    a.subject === subject &&
    a.html === html &&
    a.text === text &&
    a.attachments === attachments &&
    essenceOf(a) === essenceOf(b)
  )
}

const essenceOf = ({ from, replyTo, headers, tags, template, sendAt }: CompatMessage): string =>
  JSON.stringify([from, replyTo, headers, tags, template?.ref, sendAt])

const checkGroup = ({ message, names, recipients }: Group): Checked =>
  checkMessage(message, names, message.to.length === 1 ? recipients : undefined)

function refuseTooLarge(groups: Group[]): void {
  const characters = groups.reduce(
    (sum, { message: { html = '', text = '', attachments = [] } }) =>
      sum + html.length + text.length + attachments.reduce((all, { content }) => all + content.length, 0),
    0,
  )
  if (characters <= STORED_MAX_MB * MEGABYTE) return
  const message = `The messages have more than ${STORED_MAX_MB} MB in all.`
  throw new Refusal('too-large', 'PAYLOAD_TOO_LARGE', message, { suggestion: 'Divide them into several requests.' })
}

/** The message of a batch that an error is about. */
function placeOf(error: unknown): number {
  if (!(error instanceof Refusal)) return 0
  const { problems, details } = error.extras
  return Number(details?.index ?? /^messages\.(\d+)/.exec(problems?.[0]?.field ?? '')?.[1] ?? 0)
}

// Batches whose messages are accepted or refused one by one.

export interface Reader<S extends z.ZodType> {
  schema: S
  read(body: z.output<S>): CompatMessage
  names: FieldNames
}

export async function readMessages<S extends z.ZodType>(items: unknown[], reader: Reader<S>): Promise<ReadMessage[]> {
  const read: ReadMessage[] = []
  for (const [index, item] of items.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await setImmediate()
    try {
      read.push(checkMessage(readOne(reader, item), reader.names))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      read.push({ refusal: error })
    }
  }
  return read
}

function readOne<S extends z.ZodType>({ schema, read }: Reader<S>, item: unknown): CompatMessage {
  return read(validate(schema, item, findUnknownFields({ schema, isStrict: true }, item).refused))
}

/** The results in order, with the names that the service has for fields. */
export async function sendBatch(
  outbox: Outbox,
  { projectId, key }: Sender,
  messages: ReadMessage[],
  { atomic, names, idempotencyKey }: { atomic: boolean; names: FieldNames; idempotencyKey?: IdempotencyClaim },
) {
  const shownIn = (index: number) => {
    const message = messages[index]
    return message && 'extras' in message ? message.extras?.shownInTo : undefined
  }
  try {
    const { data } = await outbox.sendBatch(projectId, { messages, atomic, ...modeOf(key) }, idempotencyKey)
    return data.results.map((result) => {
      if (result.success) return result
      const errors = result.error.errors?.map((problem) => renamedProblem(problem, names, shownIn(result.index) ?? 0))
      return { ...result, error: { ...result.error, errors } }
    })
  } catch (error) {
    throw inBatch(error, names, shownIn)
  }
}

/** Keeps the place of the message in front of the name of the field. */
function inBatch(error: unknown, names: FieldNames, shownIn: (index: number) => number | undefined): unknown {
  if (!(error instanceof Refusal)) return error
  const { kind, code, message, extras } = error
  const problems = extras.problems?.map((problem: FieldProblem) => {
    const place = /^messages\.(\d+)/.exec(problem.field)?.[1]
    const own = renamedProblem(problem, names, shownIn(Number(place)) ?? 0)
    return place === undefined ? own : { ...own, field: own.field === '' ? place : `${place}.${own.field}` }
  })
  return new Refusal(kind, code, message, { ...extras, ...(problems && { problems }) })
}
