/**
 * Keeps every message in the database instead of sending it. Nothing leaves the machine. Recipients at
 * simulator.posthorn.test play a part, so that failures can be tried out.
 *
 * Kept as composed: a signature costs more than everything else on the way (0.4 ms of CPU), nobody checks it here, and
 * it can be made at any later time, since the same message and key always give the same one.
 */
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../database/connect.ts'
import type { MailResult, OutgoingMail, Transport } from './transport.ts'

export function captureTransport(db: Database, clock: Clock): Transport {
  const keep = gather((mails: OutgoingMail[]) => keepMessages(db, clock.now(), mails), { most: 50, atOnce: 2 })
  return {
    name: 'capture',
    signing: 'on-view',
    async send(mail) {
      const result = play(mail)
      if (result.outcome === 'accepted') await keep(mail)
      return result
    },
    async close() {},
  }
}

/**
 * Always the same statement, however many there are: all messages travel as one value and are cut apart over there.
 * They need not be on disk before the emails are recorded as sent: whatever records them takes this along, and should
 * the machine lose both, they are sent once more.
 */
async function keepMessages(db: Database, now: Date, mails: OutgoingMail[]): Promise<undefined[]> {
  const recipients = mails.map((mail) => JSON.stringify(mail.recipients))
  await sql`/* keep-messages */
    with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true)),
    mail as (
      select *, sum(length) over (rows unbounded preceding) - length as start
      from unnest(${mails.map(() => newId(now))}::uuid[], ${mails.map((mail) => mail.id)}::uuid[],
        ${mails.map((mail) => mail.sender)}::text[], ${recipients}::jsonb[], ${mails.map((mail) => mail.raw.length)}::int[]
      ) as mail(id, email_id, sender, recipients, length)
    )
    insert into captured_messages (id, email_id, sender, recipients, raw, created_at)
    select id, email_id, sender, array(select jsonb_array_elements_text(mail.recipients)),
      substring(${Buffer.concat(mails.map((mail) => mail.raw))}::bytea from start::int + 1 for length), ${now}::timestamptz
    from mail, lazy_commit`.execute(db)
  return mails.map(() => undefined)
}

const SLOW_TRIES = 2

function play({ recipients, attempt, messageId }: OutgoingMail): MailResult {
  const part = /^(\w+)@simulator\.posthorn\.test$/.exec(recipients[0] ?? '')?.[1]
  const accepted = { outcome: 'accepted', providerId: messageId } as const
  switch (part) {
    case 'reject':
      return { outcome: 'rejected', reason: '554 5.7.1 The simulator rejects this message.', because: 'message' }
    case 'slow':
      if (attempt <= SLOW_TRIES) return { outcome: 'later', reason: '451 4.3.0 The simulator is busy.' }
      return { ...accepted, delivered: true }
    case 'bounce':
      return { ...accepted, delivered: false, heardNext: 'bounce' }
    case 'softbounce':
      return { ...accepted, delivered: false, heardNext: 'soft bounce' }
    case 'complaint':
      return { ...accepted, delivered: true, heardNext: 'complaint' }
    default:
      return { ...accepted, delivered: true }
  }
}
