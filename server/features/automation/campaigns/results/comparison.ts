/** A campaign beside earlier ones, each at the same age: as long after the start of sending. */
import { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { emailCountFields } from '../../../../kernel/sending/email-rates.ts'
import { withStatementTimeout } from '../../../audience/segments/actions.ts'
import { requireCampaign } from '../actions.ts'
import { listEarlierAt } from './report-queries.ts'

const COMPARED = 5
/** A user waits for the response, and five large campaigns have millions of emails. */
const TIMEOUT_MS = 15_000
const TOO_LONG = 'Counting the emails of the earlier campaigns takes too long.'

const Compared = z
  .object({ id: z.uuid(), name: z.string(), sentAt: z.date(), ...emailCountFields })
  .meta({ id: 'ComparedCampaign' })

export const Comparison = z
  .object({
    ageSeconds: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The time since the campaign started sending; null if it has not started.' }),
    earlier: z.array(Compared).meta({
      description: 'The five campaigns that were sent before this one, newest first, with their emails at that age.',
    }),
  })
  .meta({ id: 'CampaignComparison' })

export async function compareCampaign(ctx: Context, projectId: string, id: string) {
  const { sent_at: since } = await requireCampaign(ctx, projectId, id)
  if (since === null) return { ageSeconds: null, earlier: [] }
  const ageSeconds = Math.max(0, Math.floor((ctx.clock.now().getTime() - since.getTime()) / 1000))
  const rows = await withStatementTimeout(
    ctx.db,
    (tx) => listEarlierAt(tx, projectId, { since, ageSeconds, most: COMPARED }),
    TIMEOUT_MS,
    TOO_LONG,
  )
  return { ageSeconds, earlier: rows }
}
