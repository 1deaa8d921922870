/** Emails that are sent at a later time: released at it, and changed or canceled before. */
import type { Context } from '../../../context.ts'
import { senderDomain } from '../../../kernel/email-address.ts'
import { billingLimitExceeded, conflict } from '../../../kernel/errors.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { readSendTime } from '../../../kernel/send-time.ts'
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
export async function rescheduleEmail(ctx: Context, projectId: string, id: string, sendAt: string | null) {
  const now = ctx.clock.now()
  const at = (sendAt === null ? undefined : readSendTime(sendAt, now)) ?? now
  await requireScheduled(
    ctx,
    projectId,
    id,
    'changed',
    await queries.reschedule(ctx.db, { projectId, emailId: id }, at, now),
  )
  return getEmailRecord(ctx, projectId, id)
}

export async function cancelEmail(ctx: Context, projectId: string, id: string) {
  const isDone = await queries.cancelScheduled(ctx.db, { projectId, emailId: id }, ctx.clock.now())
  await requireScheduled(ctx, projectId, id, 'canceled', isDone)
  return getEmailRecord(ctx, projectId, id)
}

async function requireScheduled(ctx: Context, projectId: string, id: string, verb: string, isDone: boolean) {
  if (isDone) return
  const { status } = await getEmailRecord(ctx, projectId, id)
  throw conflict(`This email can't be ${verb}: its status is ${status}, and it must be SCHEDULED.`)
}
