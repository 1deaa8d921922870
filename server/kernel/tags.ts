/** Tags: short labels by which lists of campaigns, templates, segments and workflows are filtered. */
import { z } from 'zod'

const TAG_MAX = 50
const TAGS_MAX = 20

const tag = z.string().trim().min(1, 'Must not be empty.').max(TAG_MAX, `Must be at most ${TAG_MAX} characters.`)

/** The field of a request. Repeated tags are stored once. */
export const tagsField = z
  .array(tag)
  .max(TAGS_MAX, `Must contain at most ${TAGS_MAX} tags.`)
  .transform((tags) => [...new Set(tags)])

/** The field of a response. */
export const shownTags = z.array(z.string()).meta({ description: 'Labels by which lists can be filtered.' })

/** The filter of a list. */
export const tagParam = z.string().optional().meta({ description: 'Return only those that have this tag.' })
