/** Request and response schemas of segments. */
import { z } from 'zod'
import { conditionTree, storedCondition } from '../../../kernel/conditions/condition-schema.ts'
import { bareBadRequest } from '../../../kernel/errors.ts'
import { pageOf, pageParam, sizeParam } from '../../../kernel/pages.ts'
import { shownTags, tagParam, tagsField } from '../../../kernel/tags.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'
import { Contact, contactSort } from '../contacts/schemas.ts'

const SEGMENT_TYPES = ['DYNAMIC', 'STATIC'] as const

export type SegmentType = (typeof SEGMENT_TYPES)[number]

export const SEGMENT_NAME_MAX = 100
const DESCRIPTION_MAX = 500
const MEMBERS_MAX = 500
const PAGE_SIZE_MAX = 100

export const Segment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    type: z.enum(SEGMENT_TYPES),
    condition: storedCondition.nullable().meta({ description: 'null for STATIC segments.' }),
    trackMembership: z.boolean(),
    memberCount: z.number().int().meta({ description: 'Exact for STATIC segments, cached for DYNAMIC ones.' }),
    tags: shownTags,
    projectId: z.uuid(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Segment' })

export const SegmentList = z.array(Segment)

const name = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .max(SEGMENT_NAME_MAX, `Must be at most ${SEGMENT_NAME_MAX} characters.`)
const description = z.string().max(DESCRIPTION_MAX, `Must be at most ${DESCRIPTION_MAX} characters.`).nullable()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The condition of a static segment is ignored. For a dynamic one without a condition, the contract requires a specific
 * response.
 */
function normalizeCondition(given: unknown): unknown {
  if (!isObject(given)) return given
  const { condition, ...others } = given
  if (others.type === 'STATIC') return others
  if ((others.type === undefined || others.type === 'DYNAMIC') && !isObject(condition)) {
    throw bareBadRequest('A DYNAMIC segment requires a `condition` object.')
  }
  return given
}

export const NewSegment = z.preprocess(
  normalizeCondition,
  z.object({
    name,
    description: description.optional(),
    type: z.enum(SEGMENT_TYPES).default('DYNAMIC'),
    condition: conditionTree
      .optional()
      .meta({ description: 'Required for DYNAMIC segments, ignored for STATIC segments.' }),
    trackMembership: z.boolean().default(false).meta({
      description:
        'Record `segment.<slug>.entry` and `segment.<slug>.exit` events when contacts enter and leave the segment.',
    }),
    tags: tagsField.default([]),
  }),
)

export const SegmentChanges = z
  .object({ name, description, condition: conditionTree.nullable(), trackMembership: z.boolean(), tags: tagsField })
  .partial()

export const SegmentListQuery = z.object({ tag: tagParam })

/** The response that the contract requires for a dynamic segment without a condition. */
export const BareError = z.object({ error: z.string() })

export const ContactSegments = z.array(
  z.object({ id: z.uuid(), name: z.string(), type: z.enum(SEGMENT_TYPES) }).meta({ id: 'ContactSegment' }),
)

export const SegmentContactsQuery = z.object({ page: pageParam, pageSize: sizeParam(PAGE_SIZE_MAX) })

export const SegmentContactPage = pageOf(Contact)

const emails = z
  .array(z.string())
  .min(1, 'Must contain at least one address.')
  .max(MEMBERS_MAX, `Must contain at most ${MEMBERS_MAX} addresses.`)

export const MembersToAdd = z.object({
  emails,
  createMissing: z
    .boolean()
    .default(false)
    .meta({ description: "Create contacts for addresses that don't exist yet." }),
  subscribed: z
    .boolean()
    .default(true)
    .meta({ description: 'Applies to the contacts that are created; existing contacts are unchanged.' }),
})

export const MembersToRemove = z.object({ emails })

export const MembersAdded = z.object({
  added: z.number().int(),
  created: z.number().int(),
  notFound: z.array(z.string()).meta({ description: 'The addresses, as you sent them, that belong to no contact.' }),
})

export const MembersRemoved = z.object({ removed: z.number().int() })

export const Computed = z.object({
  added: z.number().int(),
  removed: z.number().int(),
  total: z.number().int(),
})

export const Refreshed = z.object({ memberCount: z.number().int() })

const SAMPLE = 10

export const PreviewRequest = z.object({
  condition: conditionTree,
  sort: contactSort,
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX, SAMPLE),
})

export const SegmentPreview = z
  .object({
    count: z.number().int(),
    sample: z.array(Contact).meta({ description: 'A page of contacts, newest first by default.' }),
  })
  .meta({ id: 'SegmentPreview' })

export const SegmentHistoryQuery = z.object({ from: fromParam, to: toParam })

export const SegmentHistory = z
  .object({
    data: z.array(
      z.object({
        day: z.string().meta({ format: 'date', description: 'In UTC.' }),
        contacts: z.number().int().meta({ description: 'How many contacts the segment had.' }),
        total: z.number().int().meta({ description: 'How many contacts the project had.' }),
        share: z.number().min(0).max(1).meta({ description: '`contacts` divided by `total`, from 0 to 1.' }),
      }),
    ),
  })
  .meta({ id: 'SegmentHistory' })
