/** Requests and responses of topics. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { topicsField } from '../contacts/topics.ts'

const KEY_MAX = 50
const NAME_MAX = 100
const DESCRIPTION_MAX = 500
const POSITION_MAX = 1_000_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL can't store them.
const isStorable = (text: string): boolean => !/\u0000/.test(text) && text.isWellFormed()
const NOT_STORABLE = 'Must not contain NUL characters or lone surrogates.'

const key = z
  .string()
  .regex(new RegExp(`^[a-z0-9-]{1,${KEY_MAX}}$`), `Must be 1 to ${KEY_MAX} lowercase letters, digits and hyphens.`)
  .meta({ description: "Identifies the topic in requests. It can't be changed later.", examples: ['product-news'] })

const name = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)
  .refine(isStorable, NOT_STORABLE)
  .meta({ examples: ['Product news'] })

const description = z
  .string()
  .trim()
  .max(DESCRIPTION_MAX, `Must be at most ${DESCRIPTION_MAX} characters.`)
  .refine(isStorable, NOT_STORABLE)
  .nullable()
  .meta({ description: 'Shown on the preference page.' })

const defaultSubscribed = z.boolean().meta({
  description:
    'True: subscribed contacts receive the topic until they opt out of it. False: only those who opted in receive it.',
})
const isPublic = z.boolean().meta({ description: 'Whether the preference page shows the topic.' })
const position = z
  .number()
  .int('Must be a whole number.')
  .min(0, 'Must be at least 0.')
  .max(POSITION_MAX, `Must be at most ${POSITION_MAX}.`)
  .meta({ description: 'Topics are listed by position, and newest first if it is the same.' })

export const Topic = z
  .object({
    id: z.uuid(),
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    defaultSubscribed,
    isPublic,
    position: z.number().int(),
    subscriberCount: z.number().int().meta({ description: 'How many contacts would receive the topic now.' }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Topic' })

export const TopicPage = cursorPageOf(Topic)

export const TopicQuery = z.object({ limit: sizeParam(100, 100), cursor: cursorParam })

export const NewTopic = z.object({
  key,
  name,
  description: description.optional(),
  defaultSubscribed: defaultSubscribed.default(true),
  isPublic: isPublic.default(true),
  position: position.default(0),
})

export const TopicChanges = z.object({
  name: name.optional(),
  description: description.optional(),
  defaultSubscribed: defaultSubscribed.optional(),
  isPublic: isPublic.optional(),
  position: position.optional(),
})

/** A reference of a template or campaign. */
export const topicIdField = z
  .uuid('Must be a topic ID.')
  .nullable()
  .meta({ description: 'Only contacts who are subscribed to this topic receive the emails. Null for none.' })

export const ContactTopics = z
  .object({
    data: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        subscribed: z.boolean().meta({
          description:
            "What the contact chose, or the topic's default; false if the address is suppressed for the topic. Contacts who are not subscribed receive no topic.",
        }),
        suppressed: z.boolean().meta({
          description:
            'The contact is in the topic, but a suppression of the topic keeps it from receiving it. Subscribing the contact to the topic removes the suppression.',
        }),
        source: z.string().nullable().meta({
          description: 'Where the choice came from, such as `api`, `dashboard`, `import` or `page`. Null: the default.',
        }),
        updatedAt: z.date().nullable(),
      }),
    ),
  })
  .meta({ id: 'ContactTopics' })

export const ContactTopicChanges = z.object({ topics: topicsField })
