/**
 * Stores every message in the database instead of sending it, a long one only in part. Recipients at simulator.posthorn.test simulate outcomes,
 * so that failures can be tested. Messages are stored without a signature: signing takes longer than everything else,
 * and the same signature can be added at any later time.
 */
import type { RawBuilder } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { createBatcher, upToTotal } from '../../kernel/flow/waiting.ts'
import { firstIdAt, newId } from '../../kernel/ids.ts'
import type { ContentEncryption } from '../content-encryption.ts'
import type { Database } from '../database/connection/connect.ts'
import { sql } from '../database/connection/sql.ts'
import type { MailResult, OpenTransport, OutgoingMail, RecipientResult } from './transport.ts'

const SHARED_BYTES_MAX = 1024 * 1024
/**
 * All recipients of a request share its body and attachments, and `GET /emails/{id}/raw` composes the message from them
 * again. So the rest of a long message is not stored for each recipient, which would fill the disk.
 */
const STORED_BYTES_MAX = 128 * 1024
const TOGETHER = {
  batchMax: 50,
  concurrency: 2,
  mayJoin: upToTotal(SHARED_BYTES_MAX, (mail: OutgoingMail) => storedPart(mail).length),
  priorityOf: (mail: OutgoingMail) => mail.priority,
}

export interface CaptureTools {
  db: Database
  clock: Clock
  secrets: ContentEncryption
}

export function captureTransport(tools: CaptureTools): OpenTransport {
  const keep = createBatcher((mails: OutgoingMail[]) => storeMessages(tools, mails), TOGETHER)
  return {
    kind: 'capture',
    capabilities: { captures: true, signing: 'on-view', receivesReports: false },
    credentialSettings: 'the user and password in MAIL_URL',
    parallel: TOGETHER.batchMax * TOGETHER.concurrency,
    async send(mail) {
      const results = mail.recipients.map((recipient) => simulate(mail, recipient))
      const accepted = mail.recipients.filter((_, i) => results[i]!.outcome === 'accepted')
      if (accepted.length > 0) await keep({ ...mail, recipients: accepted })
      return { ...results[0]!, ...eachOf(mail.recipients, results) }
    },
    async close() {},
  }
}

/** System mail belongs to no request that stores its content, so it is stored as a whole. */
const storedPart = ({ raw, system }: OutgoingMail): Buffer => (system ? raw : raw.subarray(0, STORED_BYTES_MAX))

/**
 * Always the same statement, whatever the number of messages: they are passed as one value and split in SQL. They don't
 * need to be on disk before the emails are recorded as sent: that commit also writes these, and if the machine loses
 * both, they are sent again.
 */
async function storeMessages({ db, clock, secrets }: CaptureTools, mails: OutgoingMail[]): Promise<undefined[]> {
  const now = clock.now()
  const starts: number[] = []
  let end = 0
  const ids = mails.map(() => newId(now))
  const encrypted = mails.map((mail, i) => secrets.encryptContent(ids[i]!, () => storedPart(mail)))
  const stored = mails.map((mail, i) => encrypted[i] ?? storedPart(mail))
  for (const { length } of stored) {
    starts.push(end)
    end += length
  }
  await sql`/* keep-messages */
    with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true))
    insert into captured_messages (id, email_id, system, sender, recipients, raw, encrypted, created_at)
    select id, email_id, system, sender, array(select jsonb_array_elements_text(mail.recipients)),
      substring(${Buffer.concat(stored)}::bytea from start + 1 for length), encrypted, ${now}::timestamptz
    from lazy_commit, unnest(
      ${ids}::uuid[], ${mails.map((mail) => mail.id)}::uuid[],
      ${mails.map((mail) => mail.system ?? false)}::boolean[], ${mails.map((mail) => mail.sender)}::text[], ${mails.map((mail) => JSON.stringify(mail.recipients))}::jsonb[],
      ${starts}::int[], ${stored.map(({ length }) => length)}::int[], ${encrypted.map((one) => one !== null)}::boolean[]
    ) as mail(id, email_id, system, sender, recipients, start, length, encrypted)`.execute(db)
  return mails.map(() => undefined)
}

/** A step that deletes the captured messages of the emails that `emailIds` selects. */
export const deleteCapturedStep = (emailIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from captured_messages where email_id in (${emailIds})`

/** Deletes up to `most` messages that were captured before a given time; returns how many. */
export async function deleteCapturedBefore(db: Database, before: Date, batchMax: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-captured-before */
    delete from captured_messages where id in (
      select id from captured_messages where id < ${firstIdAt(before)}::uuid limit ${batchMax})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the messages that `ids` selects; returns how many. */
export async function deleteCaptured(db: Database, ids: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`delete from captured_messages where id = any(array(${ids}))`.execute(db)
  return Number(numAffectedRows)
}

const SLOW_TRIES = 2

/** The result of each recipient, if there are several. A simulated report about a copy has no effect. */
function eachOf(recipients: string[], results: MailResult[]): Pick<MailResult, 'recipients'> {
  if (recipients.length === 1) return {}
  const each = recipients.map((email, i): RecipientResult => {
    const result = results[i]!
    if (result.outcome === 'accepted') return { email, outcome: 'accepted' }
    return { email, outcome: result.outcome === 'rejected' ? 'rejected' : 'later', reason: result.reason }
  })
  return { recipients: each }
}

function simulate({ attempt, messageId }: OutgoingMail, recipient: string): MailResult {
  const part = /^(\w+)(?:\+[^@]*)?@simulator\.posthorn\.test$/.exec(recipient)?.[1]
  const accepted = { outcome: 'accepted', providerId: messageId } as const
  switch (part) {
    case 'reject':
      return { outcome: 'rejected', reason: '554 5.7.1 The simulator rejects this message.', because: 'message' }
    case 'slow':
      if (attempt <= SLOW_TRIES) return { outcome: 'later', reason: '451 4.3.0 The simulator is busy.' }
      return { ...accepted, delivered: true }
    case 'bounce':
      return { ...accepted, delivered: false, simulatedOutcome: 'bounce' }
    case 'softbounce':
      return { ...accepted, delivered: false, simulatedOutcome: 'soft bounce' }
    case 'complaint':
      return { ...accepted, delivered: true, simulatedOutcome: 'complaint' }
    default:
      return { ...accepted, delivered: true }
  }
}
