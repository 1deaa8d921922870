/**
 * Keeps every message in the database instead of sending it. Nothing leaves the machine. Recipients at
 * simulator.posthorn.test play a part, so that failures can be tried out.
 */
import type { Clock } from '../../kernel/clock.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../database/connect.ts'
import type { MailResult, OutgoingMail, Transport } from './transport.ts'

export function captureTransport(db: Database, clock: Clock): Transport {
  const keep = gather((mails: OutgoingMail[]) => keepMessages(db, clock.now(), mails), { most: 100, atOnce: 2 })
  return {
    name: 'capture',
    async send(mail) {
      const played = simulate(mail)
      if (played) return played
      await keep(mail)
      return { outcome: 'accepted', providerId: mail.messageId, delivered: true }
    },
    async close() {},
  }
}

async function keepMessages(db: Database, now: Date, mails: OutgoingMail[]): Promise<undefined[]> {
  const rows = mails.map((mail) => ({
    id: newId(now),
    email_id: mail.id,
    sender: mail.sender,
    recipients: mail.recipients,
    raw: mail.raw,
    created_at: now,
  }))
  await db.insertInto('captured_messages').values(rows).execute()
  return mails.map(() => undefined)
}

const SLOW_TRIES = 2

function simulate({ recipients, attempt }: OutgoingMail): MailResult | undefined {
  const part = /^(\w+)@simulator\.posthorn\.test$/.exec(recipients[0] ?? '')?.[1]
  if (part === 'reject') return { outcome: 'rejected', reason: '554 5.7.1 The simulator rejects this message.' }
  if (part === 'slow' && attempt <= SLOW_TRIES) return { outcome: 'later', reason: '451 4.3.0 The simulator is busy.' }
  return undefined
}
