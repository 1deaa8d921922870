/**
 * WAIT_FOR_EVENT: continues on `yes` when the contact gets a certain event, and on `no` when the timeout is over. Events
 * count from the moment the execution reached the step, even if a worker got to it later; events after the timeout
 * don't count, even if the timeout was noticed later.
 */
import { z } from 'zod'
import { firstIdAt } from '../../../kernel/ids.ts'
import { findAwaitedEvent } from './queries.ts'
import { defineStep } from './step.ts'

const YEAR_SECONDS = 365 * 86_400

const endOf = (timeout: number | null | undefined, since: Date): Date | null =>
  timeout ? new Date(since.getTime() + Math.max(1, Math.round(timeout * 1000))) : null

export const waitForEventStep = defineStep({
  type: 'WAIT_FOR_EVENT',
  config: z.object({
    eventName: z.string().trim().min(1, 'Must not be empty.').max(255, 'Must be at most 255 characters.'),
    timeout: z
      .number('Must be a number of seconds.')
      .positive('Must be greater than zero.')
      .max(YEAR_SECONDS, `Must be at most ${YEAR_SECONDS} seconds (one year).`)
      .nullish(),
  }),
  branches: [null, 'yes', 'no'],
  prepare: async ({ eventName }) => ({ event_name: eventName }),
  run: async ({ now }, { eventName, timeout }) => ({
    kind: 'wait',
    until: endOf(timeout, now),
    forEvent: eventName,
  }),
  waitUntil: ({ timeout }, { since }) => endOf(timeout, since),
  async resume({ db, projectId, contact, execution, now }, { eventName }, { until, forEvent }) {
    const name = forEvent ?? eventName
    const event = await findAwaitedEvent(db, projectId, {
      contactId: contact.id,
      name,
      after: execution.seenUpTo,
      before: until === null ? null : firstIdAt(new Date(until.getTime() + 1)),
    })
    if (event) {
      const output = { event: name, data: event.data, at: event.created_at }
      return { kind: 'continue', branch: 'yes', output, seenUpTo: event.id }
    }
    if (until === null || until > now) return { kind: 'wait', until, forEvent: name }
    return { kind: 'continue', branch: 'no', output: { timedOut: true }, seenUpTo: firstIdAt(until) }
  },
  async simulate({ now }, { eventName, timeout }, assume) {
    if (assume.events || !timeout) {
      return { kind: 'continue', branch: 'yes', output: { event: eventName, assumed: 'The event occurs.' } }
    }
    const until = new Date(now.getTime() + timeout * 1000)
    return { kind: 'continue', branch: 'no', output: { until, assumed: 'The event does not occur.' } }
  },
})
