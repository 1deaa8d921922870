/**
 * WAIT_FOR_EVENT: goes on when the contact has a certain event, on the branch `yes`, or when its time is up, on `no`.
 * An event counts from the moment at which the contact came to this step, however late a worker got to it; one that
 * came after the time was up does not count, however late that was noticed.
 */
import { z } from 'zod'
import { firstIdAt } from '../../kernel/ids.ts'
import { findAwaitedEvent } from './engine-queries.ts'
import { stepKind } from './step-kind.ts'

const YEAR_SECONDS = 365 * 86_400

export const waitForEventStep = stepKind({
  type: 'WAIT_FOR_EVENT',
  config: z.object({
    eventName: z.string().trim().min(1, 'Must not be empty.').max(255, 'Must be at most 255 characters.'),
    timeout: z
      .number('Must be a number of seconds.')
      .positive('Must be greater than zero.')
      .max(YEAR_SECONDS, `Must be at most ${YEAR_SECONDS} seconds, a year.`)
      .nullish(),
  }),
  run: async ({ now }, { eventName, timeout }) => ({
    kind: 'waits',
    until: timeout ? new Date(now.getTime() + Math.max(1, Math.round(timeout * 1000))) : null,
    forEvent: eventName,
  }),
  async resume({ ctx, projectId, contact, execution, now }, { eventName }, { until, forEvent }) {
    const name = forEvent ?? eventName
    const event = await findAwaitedEvent(ctx.db, projectId, {
      contactId: contact.id,
      name,
      after: execution.seenUpTo,
      before: until === null ? null : firstIdAt(new Date(until.getTime() + 1)),
    })
    if (event) {
      const output = { event: name, data: event.data, at: event.created_at }
      return { kind: 'goes on', branch: 'yes', output, seenUpTo: event.id }
    }
    if (until === null || until > now) return { kind: 'waits', until, forEvent: name }
    return { kind: 'goes on', branch: 'no', output: { timedOut: true }, seenUpTo: firstIdAt(until) }
  },
  async simulate({ now }, { eventName, timeout }, assume) {
    if (assume.events || !timeout) {
      return { kind: 'goes on', branch: 'yes', output: { event: eventName, assumed: 'The event comes.' } }
    }
    const until = new Date(now.getTime() + timeout * 1000)
    return { kind: 'goes on', branch: 'no', output: { until, assumed: 'The event does not come.' } }
  },
})
