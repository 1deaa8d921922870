/** Request and response schemas of activity. */
import { z } from 'zod'
import { storedEmail } from '../../../kernel/email-address.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { emailCountFields, rateFields } from '../../../kernel/sending/email-rates.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'

const TYPES_MAX = 100

const typesParam = z
  .string()
  .optional()
  .transform((text) => {
    const types = [...new Set((text ?? '').split(',').map((type) => type.trim()))].filter((type) => type !== '')
    if (types.length > TYPES_MAX) throw badRequest(`types can contain at most ${TYPES_MAX} types.`)
    return types.length > 0 ? types : undefined
  })
  .meta({ type: 'string', description: 'Return only these types, separated by commas.' })

export const ActivityListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  types: typesParam,
  contactId: z.string().optional().meta({ description: 'Return only activity of this contact.' }),
  from: fromParam,
  to: toParam,
})

const ContactOf = z.object({ id: z.uuid(), email: storedEmail }).nullable()

const momentOf = (state: string) =>
  z
    .date()
    .nullable()
    .meta({ description: `When the email ${state}.` })

export const Activity = z
  .object({
    id: z.uuid(),
    type: z.string().meta({ description: 'The name of an event, or a campaign.* or workflow.* type.' }),
    timestamp: z.date(),
    contact: ContactOf,
    metadata: z.record(z.string(), z.unknown()),
    email: z
      .object({
        id: z.uuid(),
        status: z.string(),
        sentAt: momentOf('was first sent'),
        deliveredAt: momentOf('was first delivered'),
        openedAt: momentOf('was first opened'),
        clickedAt: momentOf('was first clicked'),
        bouncedAt: momentOf('bounced permanently'),
        complainedAt: momentOf('was marked as spam'),
      })
      .nullable()
      .meta({ description: 'For email.* events: the current state of the email.' }),
  })
  .meta({ id: 'Activity' })

export const ActivityPage = cursorPageOf(Activity)

export const ActivityTypes = z.object({ types: z.array(z.string()) })

const MINUTES_MAX = 1_440

export const RecentCountQuery = z.object({ minutes: sizeParam(MINUTES_MAX, 5) })

export const RecentCount = z.object({ count: z.number().int(), minutes: z.number().int() })

export const UpcomingQuery = z.object({ limit: sizeParam(100) })

export const Upcoming = z.object({
  data: z.array(
    z.object({
      type: z.enum(['campaign.scheduled', 'workflow.waiting', 'email.scheduled']),
      at: z.date(),
      name: z.string().nullable().meta({ description: 'Name of the campaign or workflow, or subject of the email.' }),
      campaignId: z.uuid().nullable(),
      workflowId: z.uuid().nullable(),
      executionId: z.uuid().nullable(),
      emailId: z.uuid().nullable(),
      stepId: z.uuid().nullable(),
      awaitedEvent: z.string().nullable().meta({ description: 'What the execution is waiting for.' }),
      contact: ContactOf,
    }),
  ),
})

export const ActivityStatsQuery = z.object({ from: fromParam, to: toParam })

const amount = z.number().int()

export const ActivityStats = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  totals: z.object({
    events: amount,
    ...emailCountFields,
  }),
  ...rateFields,
})

export const TimelineQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

export const Timeline = cursorPageOf(
  z
    .object({
      id: z.uuid(),
      kind: z.enum(['event', 'email', 'import']),
      timestamp: z.date(),
      event: z
        .object({ name: z.string(), emailId: z.uuid().nullable(), data: z.record(z.string(), z.unknown()) })
        .nullable(),
      email: z
        .object({
          id: z.uuid(),
          subject: z.string().nullable(),
          status: z.string(),
          sourceType: z.string(),
          opens: amount,
          clicks: amount,
          origin: z
            .object({
              type: z
                .enum(['api', 'smtp', 'dashboard', 'campaign', 'workflow', 'test', 'received'])
                .meta({ description: 'What sent the email.' }),
              campaign: z
                .object({ id: z.uuid(), name: z.string().nullable() })
                .nullable()
                .meta({ description: 'The campaign; its name is null if it was deleted.' }),
              workflow: z
                .object({ id: z.uuid(), name: z.string(), executionId: z.uuid() })
                .nullable()
                .meta({ description: 'The workflow, and its execution for this contact.' }),
              step: z
                .object({ id: z.uuid(), name: z.string().nullable() })
                .nullable()
                .meta({ description: 'The step of the workflow; its name is null if it has none.' }),
              key: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable().meta({
                description:
                  'The API key of the request; its name is null if it was deleted. Null for the secret key of the project.',
              }),
            })
            .meta({ description: 'Why the email was sent.' }),
        })
        .nullable(),
      import: z
        .object({
          id: z.uuid(),
          createdContact: z.boolean().meta({ description: 'Whether the import created the contact, or changed it.' }),
        })
        .nullable()
        .meta({ description: 'The import that created the contact, or the last one that changed it.' }),
    })
    .meta({ id: 'TimelineItem' }),
)
