/** A template as the API speaks of it, and what a preview of one takes and shows. */
import { z } from 'zod'
import { dataObject } from '../../kernel/contact-data.ts'
import { emailAddress } from '../../kernel/email-address.ts'
import { bareBadRequest } from '../../kernel/errors.ts'
import { SOURCE_MAX } from '../../kernel/liquid-limits.ts'
import { dirParam, PAGE_SIZE_MAX, pageOf, pageParam, sizeParam, sortParam } from '../../kernel/pages.ts'

export const TEMPLATE_TYPES = ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const

export type TemplateType = (typeof TEMPLATE_TYPES)[number]

export const NAME_MAX = 200
const DESCRIPTION_MAX = 1_000
const LINE_MAX = 998

const atMost = (max: number) => z.string().max(max, `Must be at most ${max} characters.`)
const oneLine = (max: number) => atMost(max).regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

export const Template = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().meta({ description: 'With Liquid.' }),
    body: z.string().meta({ description: 'HTML with Liquid.' }),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: z.enum(TEMPLATE_TYPES),
    projectId: z.uuid(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Template' })

const name = z.string().trim().min(1, 'Must not be empty.').max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)
const description = atMost(DESCRIPTION_MAX).nullable()
const subject = oneLine(LINE_MAX).min(1, 'Must not be empty.').meta({ description: 'With Liquid.' })
const body = atMost(SOURCE_MAX).min(1, 'Must not be empty.').meta({ description: 'HTML with Liquid.' })
const fromName = oneLine(255).nullable()
const replyTo = emailAddress.nullable()
const type = z.enum(TEMPLATE_TYPES)

/** The contract has one answer for a template without a sender, whatever else is wrong with it. */
const from = z.preprocess((given) => {
  if (given === undefined || given === null || given === '') throw bareBadRequest('A template needs a `from` address.')
  return given
}, emailAddress)

export const NewTemplate = z.object({
  name,
  description: description.optional(),
  subject,
  body,
  from: from.meta({ type: 'string', format: 'email', description: 'Its domain must be verified.' }),
  fromName: fromName.optional(),
  replyTo: replyTo.optional(),
  type: type.default('MARKETING'),
})

export const TemplateChanges = z
  .object({ name, description, subject, body, from: emailAddress, fromName, replyTo, type })
  .partial()

/** What the contract asks for where `from` is missing. */
export const BareError = z.object({ error: z.string() })

export const TemplateListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  type: z
    .string()
    .optional()
    .meta({ enum: [...TEMPLATE_TYPES] }),
  search: z.string().optional().meta({ description: 'Part of the name, description or subject, in any case.' }),
  sort: sortParam(['name', 'createdAt', 'updatedAt'], 'createdAt'),
  dir: dirParam,
})

export const TemplatePage = pageOf(Template)

export const TemplateUsage = z
  .object({
    campaigns: z.array(z.object({ id: z.uuid(), name: z.string() })),
    workflowSteps: z.array(
      z.object({ id: z.uuid(), name: z.string().nullable(), workflowId: z.uuid(), workflowName: z.string() }),
    ),
  })
  .meta({ id: 'TemplateUsage' })

export const PreviewRequest = z.object({
  subject: oneLine(LINE_MAX).meta({ description: 'With Liquid; may still be empty.' }),
  body: atMost(SOURCE_MAX).meta({ description: 'HTML with Liquid; may still be empty.' }),
  data: dataObject.optional(),
  contactId: z
    .uuid('Must be a contact id.')
    .optional()
    .meta({ description: 'Render for this contact; without it, for contact@example.com.' }),
})

export const Preview = z
  .object({
    subject: z.string(),
    html: z.string(),
    text: z.string().meta({ description: 'The plain text part, made from the HTML.' }),
    missing: z.array(z.string()).meta({
      description:
        'Names that had no value, such as `profile.tier`. Those with a `??` or a `default` are not among them.',
    }),
  })
  .meta({ id: 'TemplatePreview' })
