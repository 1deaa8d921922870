/** Request and response schemas of templates and previews. */
import { z } from 'zod'
import { dataObject } from '../../../kernel/contact-data.ts'
import { EDITORS, EmailDocument } from '../../../kernel/content/email-document.ts'
import {
  bodyIsRequired,
  CONTENT_TYPES,
  checkOneSource,
  contentFields,
  hasSource,
  sourceFields,
  unfinishedFields,
} from '../../../kernel/content/mail-content.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { bareBadRequest, invalidField } from '../../../kernel/errors.ts'
import { dirParam, PAGE_SIZE_MAX, pageOf, pageParam, sizeParam, sortParam } from '../../../kernel/pages.ts'
import { shownTags, tagParam, tagsField } from '../../../kernel/tags.ts'
import { topicIdField } from '../../audience/topics/schemas.ts'

export const Template = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().meta({ description: 'Supports Liquid.' }),
    body: z.string().meta({ description: 'HTML; supports Liquid. Compiled from `document` or `mjml` if one is set.' }),
    editor: z.enum(EDITORS).meta({ description: 'What the body is written in.' }),
    document: EmailDocument.nullable(),
    mjml: z.string().nullable(),
    text: z.string().nullable().meta({ description: 'The plain text part; null if it is generated from the HTML.' }),
    preheader: z.string().nullable(),
    version: z.number().int().meta({ description: 'The number of the current version of the content.' }),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: z.enum(CONTENT_TYPES),
    topicId: z.uuid().nullable().meta({ description: 'The topic of its emails; null if they have none.' }),
    tags: shownTags,
    lastUsedAt: z
      .date()
      .nullable()
      .meta({ description: 'When an email with this template was last created, to the hour. Null if there was none.' }),
    projectId: z.uuid(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Template' })

const { name, description, subject, body, text, fromName, replyTo, type, preheader } = contentFields

/** The contract requires one specific response for a template without a sender, whatever else is wrong with it. */
const from = z.preprocess((given) => {
  if (given === undefined || given === null || given === '')
    throw bareBadRequest('A template requires a `from` address.')
  return given
}, emailAddress)

const newFields = {
  description: description.optional(),
  subject,
  body: body.optional().meta({ description: 'HTML with Liquid. Required unless `document` or `mjml` is set.' }),
  ...sourceFields,
  text: text.optional(),
  preheader: preheader.optional(),
  from: from.meta({ type: 'string', format: 'email', description: 'The domain must be verified.' }),
  fromName: fromName.optional(),
  replyTo: replyTo.optional(),
  type: type.default('MARKETING'),
  topicId: topicIdField.optional(),
  tags: tagsField.optional(),
}

export const NewTemplate = z
  .object({ name, ...newFields })
  .refine(hasSource, bodyIsRequired)
  .superRefine(checkOneSource)

/** The name is in the path. */
export const TemplateByName = z.object(newFields).refine(hasSource, bodyIsRequired).superRefine(checkOneSource)

/** Refuses a name that is empty or too long, as POST does. */
export function templateNamed(given: string, fields: z.output<typeof TemplateByName>) {
  const read = name.safeParse(given)
  if (!read.success) throw invalidField('name', read.error.issues[0]!.message, 'invalid_string')
  return { ...fields, name: read.data }
}

export const TemplateChanges = z
  .object({
    name,
    description,
    subject,
    body,
    ...sourceFields,
    text,
    preheader,
    from: emailAddress,
    fromName,
    replyTo,
    type,
    topicId: topicIdField,
    tags: tagsField,
  })
  .partial()
  .superRefine(checkOneSource)

/** The response that the contract requires if `from` is missing. */
export const BareError = z.object({ error: z.string() })

export const TemplateListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  type: z
    .string()
    .optional()
    .meta({ enum: [...CONTENT_TYPES] }),
  search: z
    .string()
    .optional()
    .meta({ description: 'Matches part of the name, description or subject, ignoring case and accents.' }),
  tag: tagParam,
  sort: sortParam(['name', 'createdAt', 'updatedAt', 'lastUsedAt'], 'createdAt'),
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

export const PreviewRequest = z
  .object({
    ...unfinishedFields,
    body: unfinishedFields.body.optional(),
    ...sourceFields,
    text: text.optional(),
    preheader: preheader.optional(),
    type: type.default('TRANSACTIONAL').meta({ description: 'MARKETING includes the unsubscribe footer.' }),
    data: dataObject.optional(),
    contactId: z
      .uuid('Must be a contact ID.')
      .optional()
      .meta({ description: 'The contact to render for. Defaults to contact@example.com.' }),
  })
  .refine(hasSource, bodyIsRequired)
  .superRefine(checkOneSource)

export const Preview = z
  .object({
    subject: z.string(),
    html: z.string(),
    text: z.string().meta({ description: 'The plain text part: `text`, or generated from the HTML.' }),
    preheader: z.string().nullable(),
    body: z.string().optional().meta({ description: 'What `document` or `mjml` was compiled to, with Liquid.' }),
    mjml: z.string().optional().meta({ description: 'The MJML of `document`, or `mjml` itself.' }),
    missing: z.array(z.string()).meta({
      description:
        'Names without a value, such as `profile.tier`. Names with a `??` or `default` fallback are not included.',
    }),
  })
  .meta({ id: 'TemplatePreview' })
