/** Request and response schemas of forms. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'
import { TOPICS_MAX } from '../contacts/topics.ts'
import { isReservedEvent } from '../events/actions.ts'
import { FormField, FormFields } from './fields.ts'

const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha', 'friendly-captcha'] as const

const text = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`)

const webUrl = z
  .string()
  .trim()
  .max(2_000, 'Must be at most 2000 characters.')
  .refine((url) => /^https?:\/\/[^\s"'<>;,]+$/i.test(url) && URL.canParse(url), {
    message: 'Must be an http:// or https:// URL.',
    params: { code: 'invalid_string' },
  })

const doubleOptIn = z.boolean().nullable().meta({
  description: "Whether new subscribers confirm their address. Null: as the project's setting `doubleOptIn` says.",
})
const chooseTopics = z.boolean().meta({
  description: 'Whether visitors choose among the topics. Otherwise they subscribe to all of them.',
})
const topics = z
  .array(z.string())
  .max(TOPICS_MAX, `Must have at most ${TOPICS_MAX} topics.`)
  .transform((keys) => [...new Set(keys)])
  .meta({ description: 'Keys of topics.', examples: [['product-news']] })

const described = {
  title: text(200).nullable().meta({ description: 'The heading of the page. Null: in the language of the project.' }),
  description: text(2_000).nullable().meta({ description: 'Text below the heading.' }),
  buttonText: text(100).nullable().meta({ description: 'Null: in the language of the project.' }),
  consentText: text(5_000).nullable().meta({
    description: 'What subscribers agree to. Shown above the button, and stored with the consent of each of them.',
  }),
  successMessage: text(2_000).nullable().meta({ description: 'Shown after a submission.' }),
  redirectUrl: webUrl.nullable().meta({ description: 'A page to show after a submission instead of a message.' }),
}

const eventName = text(255)
  .refine((name) => !isReservedEvent(name), {
    message: 'This name is reserved for system events. Choose another name.',
    params: { code: 'reserved_event' },
  })
  .nullable()
  .meta({ description: 'An event to record for each submission, with its values.' })

const captchaFields = {
  provider: z.enum(CAPTCHA_PROVIDERS),
  siteKey: text(200),
  endpoint: webUrl.nullable().default(null).meta({
    description: "Replaces the origin of the provider's server, for example for another region.",
  }),
}

const CaptchaInput = z.object({
  ...captchaFields,
  secretKey: text(500).optional().meta({
    description: 'Stored encrypted. Absent: the stored one is kept, if `provider` and `endpoint` stay the same.',
  }),
})

export type CaptchaInput = z.output<typeof CaptchaInput>

const Counts = z.object({
  shown: z.number().int(),
  submitted: z.number().int(),
  confirmed: z.number().int().meta({ description: 'Contacts who confirmed their address after a submission.' }),
  spam: z.number().int(),
})

export const Form = z
  .object({
    id: z.uuid(),
    name: z.string(),
    fields: z.array(FormField),
    topics: z.array(z.string()),
    chooseTopics,
    doubleOptIn,
    ...described,
    eventName: z.string().nullable(),
    captcha: z
      .object({ ...captchaFields, hasSecretKey: z.boolean() })
      .nullable()
      .meta({ description: 'The check against automated submissions. Null for none.' }),
    enabled: z.boolean(),
    totals: Counts,
    links: z.object({
      page: z.string().meta({ description: 'The page of the form.' }),
      script: z.string().meta({ description: 'The script that inserts the form into a website.' }),
    }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Form' })

export const FormPage = cursorPageOf(Form)
export const FormQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

export const NewForm = z.object({
  name: text(100),
  fields: FormFields.default(FormFields.parse([])),
  topics: topics.default([]),
  chooseTopics: chooseTopics.default(false),
  doubleOptIn: doubleOptIn.default(null),
  title: described.title.default(null),
  description: described.description.default(null),
  buttonText: described.buttonText.default(null),
  consentText: described.consentText.default(null),
  successMessage: described.successMessage.default(null),
  redirectUrl: described.redirectUrl.default(null),
  eventName: eventName.default(null),
  captcha: CaptchaInput.nullable().default(null),
  enabled: z.boolean().default(true),
})

export const FormChanges = z.object({
  name: text(100).optional(),
  fields: FormFields.optional(),
  topics: topics.optional(),
  chooseTopics: chooseTopics.optional(),
  doubleOptIn: doubleOptIn.optional(),
  title: described.title.optional(),
  description: described.description.optional(),
  buttonText: described.buttonText.optional(),
  consentText: described.consentText.optional(),
  successMessage: described.successMessage.optional(),
  redirectUrl: described.redirectUrl.optional(),
  eventName: eventName.optional(),
  captcha: CaptchaInput.nullable().optional(),
  enabled: z.boolean().optional(),
})

export const FormHtml = z.object({ html: z.string() })

export const FormStatsQuery = z.object({ from: fromParam, to: toParam })

export const FormStats = z
  .object({
    data: z.array(Counts.extend({ day: z.string().meta({ format: 'date', description: 'In UTC.' }) })),
    totals: Counts,
  })
  .meta({ id: 'FormStats' })

export const SpamQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

const FormSpam = z
  .object({
    id: z.uuid(),
    at: z.date(),
    reason: z.enum(['honeypot', 'too-fast', 'captcha']),
    email: z.string().nullable().meta({ description: 'The first letter and the domain of the address.' }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'FormSpam' })

export const FormSpamPage = cursorPageOf(FormSpam)
