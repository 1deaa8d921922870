/** Audiences: the contacts that an email to them would reach now. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { showContact } from '../contacts/actions.ts'
import { requireTopic } from '../topics/actions.ts'
import { requireReferences, requireSegment } from './actions.ts'
import * as queries from './audience-queries.ts'
import type { AudienceFields } from './audience-schemas.ts'
import { listMatching } from './queries.ts'

export type { Audience, AudienceSize } from './audience-queries.ts'

const SAMPLE = { limit: 10, offset: 0 }

type ChosenAudience = z.output<typeof AudienceFields> & { topicId?: string | null | undefined }

/** Refuses an audience whose segments or topic don't exist. */
export async function requireAudience(
  ctx: Context,
  projectId: string,
  type: ContentType,
  { audienceType, segmentId, audienceCondition, topicId = null }: ChosenAudience,
): Promise<queries.Audience> {
  if (segmentId) await requireSegment(ctx, projectId, segmentId)
  if (audienceCondition) await requireReferences(ctx, projectId, audienceCondition, ctx.db, 'audienceCondition')
  const [segment_id, audience_condition] = [segmentId ?? null, audienceCondition ?? null]
  if (topicId) await requireTopic(ctx.db, projectId, topicId)
  return { type, audience_type: audienceType, segment_id, audience_condition, topic_id: topicId }
}

export const countReached = async (
  ctx: Context,
  projectId: string,
  audience: queries.Audience,
  db: Database | Tx = ctx.db,
): Promise<number> => (await queries.measureAudience(db, projectId, audience, ctx.clock.now())).reached

export const segmentIsGone = (ctx: Context, projectId: string, audience: queries.Audience): Promise<boolean> =>
  queries.segmentIsGone(ctx.db, projectId, audience)

/** The contacts that an email to this audience would reach now, and those it would exclude. */
export async function previewAudience(
  ctx: Context,
  projectId: string,
  { type, ...input }: ChosenAudience & { type: ContentType },
) {
  const audience = await requireAudience(ctx, projectId, type, input)
  const now = ctx.clock.now()
  const recipients = await queries.recipientsSql(ctx.db, projectId, audience, now)
  const size = await queries.measureAudience(ctx.db, projectId, audience, now)
  const sample = await listMatching(ctx.db, projectId, recipients, { ...SAMPLE, total: size.reached })
  return {
    count: size.reached,
    sample: sample.map(showContact),
    excluded: { unsubscribed: size.unsubscribed, suppressed: size.suppressed },
    size,
  }
}
