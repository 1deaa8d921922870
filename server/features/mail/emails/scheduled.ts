/** Emails that are sent at a later time: released at it, and changed or canceled before. */
import type { Context } from '../../../context.ts'
import { senderDomain } from '../../../kernel/email-address.ts'
import { billingLimitExceeded, conflict, forbidden } from '../../../kernel/errors.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { readSendTime } from '../../../kernel/sending/send-time.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, type NewAuditEntry, recordAuditEntry } from '../../record/audit/actions.ts'
import { recordFailure } from '../delivery/outcomes.ts'
import { getEmailRecord } from './actions.ts'
import * as queries from './scheduled-queries.ts'

type EmailRef = Pick<queries.DueEmail, 'projectId' | 'emailId'>

/** Emails that are due at the same time share their statements. */
const TOGETHER = { batchMax: 200, concurrency: 2 }

const GIVEN_UP = 'Sending failed repeatedly because of an internal error. The log contains the reason.'

export function createScheduledEmails(ctx: Context) {
  const release = createBatcher(async (refs: EmailRef[]) => {
    const now = ctx.clock.now()
    const due = await queries.findDue(ctx.db, refs, now)
    const named = due.map(({ from, ...ref }) => ({ ...ref, fromDomain: senderDomain(from) }))
    const notReleased = due.length > 0 ? await queries.releaseDue(ctx.db, named, now) : []
    return refs.map(({ emailId }) => notReleased.find((email) => email.emailId === emailId))
  }, TOGETHER)

  /** One that was rescheduled has another job at its time. */
  async function sendDue(ref: EmailRef): Promise<void> {
    const notReleased = await release(ref)
    if (notReleased) await recordFailure(ctx, ref, { error: errorOf(notReleased), statuses: ['SCHEDULED'] })
  }

  /** The queue won't start its job again. */
  const fail = (ref: EmailRef): Promise<void> => recordFailure(ctx, ref, { error: GIVEN_UP, statuses: ['SCHEDULED'] })

  return { sendDue, fail }
}

const errorOf = ({ reason, max }: queries.NotReleased): string =>
  reason === null ? `Not sent. ${billingLimitExceeded('transactional', max!).message}` : `Not sent: ${reason}.`

/** Null: now. */
export async function rescheduleEmail(ctx: Context, ref: EmailRef, sendAt: string | null, by: Actor) {
  const now = ctx.clock.now()
  const at = (sendAt === null ? undefined : readSendTime(sendAt, now)) ?? now
  const entry = { act: 'email.rescheduled', details: { emailId: ref.emailId, sendAt: at } } as const
  const isDone = await changeScheduled(ctx, ref, { ...by, ...entry }, (tx) => queries.reschedule(tx, ref, at, now))
  return showChanged(ctx, ref, 'changed', isDone)
}

export async function cancelEmail(ctx: Context, ref: EmailRef, by: Actor) {
  const entry = { act: 'email.canceled', details: { emailId: ref.emailId } } as const
  const isDone = await changeScheduled(ctx, ref, { ...by, ...entry }, (tx) =>
    queries.cancelScheduled(tx, ref, ctx.clock.now()),
  )
  return showChanged(ctx, ref, 'canceled', isDone)
}

/** False if it isn't scheduled any longer. */
const changeScheduled = (
  ctx: Context,
  { projectId, emailId }: EmailRef,
  entry: Omit<NewAuditEntry, 'projectId'>,
  change: (tx: Tx) => Promise<boolean>,
): Promise<boolean> =>
  transaction(ctx.db, async (tx) => {
    if (entry.key?.test && !(await getEmailRecord(ctx, projectId, emailId)).test) throw notOfTestKey()
    const isDone = await change(tx)
    if (isDone) await recordAuditEntry(ctx, tx, { ...entry, projectId })
    return isDone
  })

/** Otherwise it could have a real email sent now, or never. */
const notOfTestKey = () => forbidden('A test key can change only emails that were sent with a test key.')

async function showChanged(ctx: Context, { projectId, emailId }: EmailRef, verb: string, isDone: boolean) {
  const email = await getEmailRecord(ctx, projectId, emailId)
  if (isDone) return email
  throw conflict(`This email can't be ${verb}: its status is ${email.status}, and it must be SCHEDULED.`)
}
