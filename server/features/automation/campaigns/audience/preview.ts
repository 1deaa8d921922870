/** The audience of a campaign before it is sent: who receives it, who is excluded, and who would be skipped. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { type AudienceSize, previewAudience, requireAudience } from '../../../audience/segments/audience.ts'
import { countSunset, orNull } from '../../../mail/emails/sunset.ts'
import type { AudienceInput } from '../schemas.ts'
import { findSettings } from '../sending-queries.ts'
import { countCapped } from './preview-queries.ts'

/** The number of recipients is shown without it, so nobody waits longer. */
const TIMEOUT_MS = 5_000

export async function previewCampaignAudience(
  ctx: Context,
  projectId: string,
  { type, ...input }: z.output<typeof AudienceInput>,
) {
  const { size, ...preview } = await previewAudience(ctx, projectId, { type, ...input })
  const { settings } = await findSettings(ctx.db, projectId)
  const { frequencyCap: cap, sunset: rule } = settings
  if (!(cap || rule) || type === 'TRANSACTIONAL' || preview.count === 0)
    return { ...preview, ...reasonsOf(size, NOBODY) }
  const audience = await requireAudience(ctx, projectId, type, input)
  const now = ctx.clock.now()
  const [frequencyCap, sunset] = await Promise.all([
    cap ? orNull(ctx, TIMEOUT_MS, (tx) => countCapped(tx, projectId, audience, cap, now)) : 0,
    rule ? orNull(ctx, TIMEOUT_MS, (tx) => countSunset(tx, projectId, audience, rule, now)) : 0,
  ])
  return { ...preview, ...reasonsOf(size, { frequencyCap, sunset }) }
}

const NOBODY = { frequencyCap: 0, sunset: 0 }

/** Everyone who won't get it, by reason, most first. A count that takes too long is left out. */
function reasonsOf(
  { reached, unsubscribed, suppressed, pendingConfirmation, paused, topic }: AudienceSize,
  skipped: { frequencyCap: number | null; sunset: number | null },
) {
  const notSubscribed = unsubscribed - pendingConfirmation - paused - topic
  const counts = { notSubscribed, pendingConfirmation, paused, topic, suppressed, ...skipped }
  const reasons = Object.entries(counts)
    .map(([reason, count]) => ({ reason: reason as keyof typeof counts, count: count ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return { skipped, total: reached + unsubscribed + suppressed, reasons }
}
