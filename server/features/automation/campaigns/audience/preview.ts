/** The audience of a campaign before it is sent: who receives it, who is excluded, and who would be skipped. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { Refusal } from '../../../../kernel/errors.ts'
import { withStatementTimeout } from '../../../audience/segments/actions.ts'
import { previewAudience, requireAudience } from '../../../audience/segments/audience.ts'
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
  const preview = await previewAudience(ctx, projectId, { type, ...input })
  const { settings } = await findSettings(ctx.db, projectId)
  const { frequencyCap } = settings
  if (!frequencyCap || type === 'TRANSACTIONAL' || preview.count === 0) return { ...preview, skipped: NOBODY }
  const audience = await requireAudience(ctx, projectId, type, input)
  const capped = await withStatementTimeout(
    ctx.db,
    (tx) => countCapped(tx, projectId, audience, frequencyCap, ctx.clock.now()),
    TIMEOUT_MS,
  ).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return { ...preview, skipped: { frequencyCap: capped } }
}

const NOBODY = { frequencyCap: 0 }
