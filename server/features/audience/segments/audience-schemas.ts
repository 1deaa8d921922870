/** The schema of an audience: all contacts, a segment, or those that match a condition. */
import { z } from 'zod'
import { conditionTree } from '../../../kernel/conditions/condition-schema.ts'

export const AUDIENCE_TYPES = ['ALL', 'SEGMENT', 'FILTERED'] as const

export const audienceFields = {
  audienceType: z.enum(AUDIENCE_TYPES),
  segmentId: z.uuid('Must be a segment ID.').optional(),
  audienceCondition: conditionTree.optional(),
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `audienceFilter` is the old name of `audienceCondition`. Only the fields that the type of audience requires are
 * checked.
 */
export function oneAudience(value: unknown): unknown {
  if (!isObject(value)) return value
  const { audienceFilter, audienceCondition = audienceFilter, segmentId, ...rest } = value
  if (value.audienceType === 'SEGMENT') return { ...rest, segmentId }
  if (value.audienceType === 'FILTERED') return { ...rest, audienceCondition }
  return rest
}

/** Each type of audience requires its own field. */
export function requireChosen(
  value: { audienceType: string; segmentId?: unknown; audienceCondition?: unknown },
  ctx: z.RefinementCtx,
) {
  const missing = (field: string, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], message, params: { code: 'invalid_type' } })
  if (value.audienceType === 'SEGMENT' && value.segmentId === undefined) {
    missing('segmentId', 'Required when audienceType is SEGMENT.')
  }
  if (value.audienceType === 'FILTERED' && value.audienceCondition === undefined) {
    missing('audienceCondition', 'Required when audienceType is FILTERED.')
  }
}

/** Without the type of content, for requests that have it elsewhere. */
export const AudienceFields = z.preprocess(oneAudience, z.object(audienceFields).superRefine(requireChosen))
