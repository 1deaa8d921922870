/** Free-form JSON that is kept as it is: of any shape, but never so deep or long that reading it is a burden. */
import { z } from 'zod'

const DEPTH_MAX = 30
const LENGTH_MAX = 100_000

/** Without recursion: what is too deep for us may be too deep for that, too. */
function depthOf(value: unknown, most: number): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    level = level.filter((item) => typeof item === 'object' && item !== null)
    if (level.length === 0 || depth > most) return depth
    level = level.flatMap((item) => Object.values(item as object))
  }
}

const bounded = (value: unknown, ctx: z.core.$RefinementCtx<unknown>): void => {
  const deep = depthOf(value, DEPTH_MAX) > DEPTH_MAX
  if (!deep && (JSON.stringify(value)?.length ?? 0) <= LENGTH_MAX) return
  const message = deep
    ? `Must be at most ${DEPTH_MAX} levels deep.`
    : `Must be at most ${LENGTH_MAX} characters of JSON.`
  ctx.addIssue({ code: 'custom', message, params: { code: 'too_big' }, input: value })
}

export const smallJson = z.unknown().superRefine(bounded)

export const jsonObject = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Must be an object.',
    params: { code: 'invalid_type' },
    abort: true,
  })
  .superRefine(bounded)
  .meta({ type: 'object', additionalProperties: true })
