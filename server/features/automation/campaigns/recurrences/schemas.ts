/** Request and response schemas of recurrences. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../../kernel/pages.ts'
import { recurrenceFields, requireRule } from '../../../../kernel/time/recurrence.ts'

export const RecurrenceInput = z
  .object({
    ...recurrenceFields,
    useTemplate: z.boolean().default(false).meta({
      description:
        "Whether each campaign has the content that the campaign's template has at that moment, instead of the campaign's own.",
    }),
  })
  .superRefine(requireRule)
  .meta({ id: 'RecurrenceInput' })

const moment = z.date().nullable()

const Occurrence = z
  .object({
    id: z.uuid(),
    at: z.date().meta({ description: 'The time of the recurrence.' }),
    campaignId: z.uuid().nullable().meta({ description: 'The campaign that was made; null if nothing was sent.' }),
    reason: z.string().nullable().meta({ description: 'Why nothing was sent.' }),
  })
  .meta({ id: 'CampaignOccurrence' })

export const OccurrencePage = cursorPageOf(Occurrence)
export const OccurrenceListQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

export const Recurrence = z
  .object({
    every: recurrenceFields.every,
    time: z.string(),
    timezone: z.string(),
    weekdays: z.array(z.number().int()).nullable().meta({ description: 'From 1 (Monday) to 7 (Sunday), for `week`.' }),
    day: z.number().int().nullable().meta({ description: 'The day of the month, for `month`.' }),
    startsOn: z.string().nullable().meta({ description: 'The first possible date.' }),
    endsOn: z.string().nullable().meta({ description: 'The last possible date; null if there is none.' }),
    count: z.number().int().nullable(),
    useTemplate: z.boolean().meta({ description: "Whether each campaign has the content of the campaign's template." }),
    status: z.enum(['active', 'paused', 'ended']),
    nextAt: moment.meta({ description: 'When the next campaign is sent; null if it is paused or has ended.' }),
    sentCount: z.number().int().meta({ description: 'How many campaigns were made.' }),
    lastOccurrence: Occurrence.nullable().meta({ description: 'What happened the last time.' }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Recurrence' })
