/**
 * The sunset rule of a project: contacts who open and click nothing receive no more marketing email. Nothing is stored for
 * it but a reset: delivery judges the contacts that are about to get email, by what they received before.
 */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { resetSunset } from '../../audience/contacts/actions.ts'
import { withStatementTimeout } from '../../audience/segments/actions.ts'
import * as queries from './sunset-queries.ts'

export { countSunset, type SunsetRule } from './sunset-queries.ts'

export const ContactSunset = z
  .object({
    stopped: z
      .boolean()
      .meta({ description: "Whether the project's sunset rule stops marketing email to the contact." }),
    since: z
      .date()
      .nullable()
      .meta({ description: 'When the contact received its last marketing email, if it is stopped; otherwise null.' }),
    resetAt: z
      .date()
      .nullable()
      .meta({ description: 'Only marketing emails after this time count. Null if the contact was never reset.' }),
  })
  .meta({ id: 'ContactSunset' })

export const SunsetPreview = z
  .object({
    count: z.int().nullable().meta({
      description:
        'Contacts who can receive marketing email now and would no longer receive it under the rule. Null if counting takes too long.',
    }),
  })
  .meta({ id: 'SunsetPreview' })

const PREVIEW_TIMEOUT_MS = 10_000

const EVERYONE = {
  type: 'MARKETING',
  audience_type: 'ALL',
  segment_id: null,
  audience_condition: null,
  topic_id: null,
} as const

/** How many contacts a rule would stop now, whether it is saved or not. */
export async function previewSunset(ctx: Context, projectId: string, rule: queries.SunsetRule) {
  const now = ctx.clock.now()
  const count = await orNull(ctx, PREVIEW_TIMEOUT_MS, (tx) => queries.countSunset(tx, projectId, EVERYONE, rule, now))
  return { count }
}

/** Null if it takes too long. */
export const orNull = <T>(ctx: Context, timeoutMs: number, read: (tx: Tx) => Promise<T>): Promise<T | null> =>
  withStatementTimeout(ctx.db, read, timeoutMs).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })

export async function getSunset(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<z.input<typeof ContactSunset>> {
  const row = await queries.findSunset(ctx.db, projectId, contactId)
  if (!row) throw notFound('contact', contactId)
  return { stopped: row.since !== null, since: row.since, resetAt: row.reset_at }
}

/** Counts the contact's emails from now on, so that it receives marketing email again. */
export async function sendAgain(ctx: Context, projectId: string, contactId: string) {
  if (!(await resetSunset(ctx, projectId, contactId))) throw notFound('contact', contactId)
  return getSunset(ctx, projectId, contactId)
}
