/** Requests and responses of Postmark. */
import { z } from 'zod'
import type { RequestFacts } from '../../../platform/http/route.ts'
import { postmarkError, type UsualError } from './errors.ts'
import {
  type CompatMessage,
  type FieldNames,
  notTooMany,
  onlyOne,
  refuseTracking,
  splitAddresses,
  unsupported,
} from './message.ts'

const addresses = z.string().transform(splitAddresses)

const Attachment = z.object({
  Name: z.string().meta({ description: 'The name of the file.' }),
  Content: z.string().meta({ description: 'The file in base64.' }),
  ContentType: z.string().meta({ description: 'Such as `application/pdf`.' }),
  ContentID: z
    .string()
    .nullish()
    .meta({ description: 'Such as `cid:logo.png`: shows the file in the body, which refers to it.' }),
})

const fields = {
  From: z.string().meta({ description: 'The sender, such as `Acme <hello@example.com>`.' }),
  To: addresses
    .refine(...notTooMany)
    .meta({ type: 'string', description: 'Up to 50 recipients, separated by commas, who see each other.' }),
  Cc: addresses.nullish().meta({ type: 'string', description: 'Further recipients, shown in the message.' }),
  Bcc: addresses.nullish().meta({ type: 'string', description: 'Further recipients, not shown in the message.' }),
  ReplyTo: addresses.nullish().meta({ type: 'string', description: 'One address for replies.' }),
  Tag: z.string().nullish().meta({ description: 'Becomes the tag `tag`.' }),
  Metadata: z.record(z.string(), z.unknown()).nullish().meta({ description: 'Each becomes a tag.' }),
  Headers: z
    .array(
      z.object({
        Name: z.string().meta({ description: 'The name of the header.' }),
        Value: z.string().meta({ description: 'The value of the header.' }),
      }),
    )
    .nullish()
    .meta({ description: 'Further headers.' }),
  Attachments: z.array(Attachment).nullish().meta({ description: 'Up to 10 files.' }),
  TrackOpens: z.boolean().nullish().meta({ description: 'False, or absent: tracking is a setting of the project.' }),
  TrackLinks: z
    .enum(['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'])
    .nullish()
    .meta({ description: '`None`, or absent: tracking is a setting of the project.' }),
  MessageStream: z.string().nullish().meta({ description: '`outbound`, or absent.' }),
}

export const PostmarkEmail = z
  .object({
    ...fields,
    Subject: z.string().meta({ description: 'The subject.' }),
    HtmlBody: z.string().nullish().meta({ description: 'The HTML, sent unchanged.' }),
    TextBody: z
      .string()
      .nullish()
      .meta({ description: 'The plain text, sent unchanged. Generated from the HTML if it is absent.' }),
  })
  .meta({ id: 'PostmarkEmail' })

export const PostmarkTemplateEmail = z.object({
  ...fields,
  TemplateAlias: z.string().nullish().meta({ description: 'The ID or the name of a template.' }),
  TemplateId: z.union([z.string(), z.number()]).nullish().meta({ description: 'The same.' }),
  TemplateModel: z.record(z.string(), z.unknown()).nullish().meta({ description: 'The variables of the template.' }),
  InlineCss: z.boolean().nullish().meta({ description: 'False, or absent: styles are sent as they are.' }),
})

const BATCH_MAX = 500

const batch = z
  .array(z.unknown())
  .min(1, 'Must contain at least one message.')
  .max(BATCH_MAX, `Must contain at most ${BATCH_MAX} messages. Divide them into several batches.`)

export const PostmarkTemplateBatch = z.object({
  Messages: batch.meta({ description: 'Each has the fields of `POST /compat/postmark/email/withTemplate`.' }),
})

export const PostmarkBatch = batch.meta({
  type: 'array',
  minItems: 1,
  maxItems: BATCH_MAX,
  items: { $ref: '#/$defs/PostmarkEmail' },
})

export const POSTMARK_NAMES: FieldNames = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  reply: 'ReplyTo',
  subject: 'Subject',
  body: 'HtmlBody',
  text: 'TextBody',
  headers: 'Headers',
  attachments: 'Attachments',
  tags: 'Metadata',
  template: 'TemplateAlias',
  data: 'TemplateModel',
  attachment: { filename: 'Name', content: 'Content', contentType: 'ContentType', contentId: 'ContentID' },
}

export const POSTMARK_TEST_KEY = 'POSTMARK_API_TEST'

export const postmarkKey = (headers: RequestFacts['headers']): string | undefined => {
  const token = headers['x-postmark-server-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}

type Common = z.output<z.ZodObject<typeof fields>>

export function readPostmark({
  Subject,
  HtmlBody,
  TextBody,
  ...common
}: z.output<typeof PostmarkEmail>): CompatMessage {
  return {
    ...readCommon(common, false),
    subject: Subject,
    html: HtmlBody ?? undefined,
    text: TextBody ?? undefined,
  }
}

export function readPostmarkTemplate(body: z.output<typeof PostmarkTemplateEmail>): CompatMessage {
  const { TemplateAlias, TemplateId, TemplateModel, InlineCss, ...common } = body
  const ref = String(TemplateAlias ?? TemplateId ?? '')
  if (ref === '') throw unsupported('TemplateAlias', 'This field is required: the ID or the name of a template.')
  if (TemplateAlias && TemplateId) throw unsupported('TemplateId', 'Must be absent if `TemplateAlias` is present.')
  if (InlineCss) throw unsupported('InlineCss', 'Styles are sent as they are. Remove this field.')
  return { ...readCommon(common, true), template: { ref, data: TemplateModel ?? {} } }
}

function readCommon(body: Common, hasTemplate: boolean): CompatMessage {
  const { From, To, Cc, Bcc, ReplyTo, Tag, Metadata, Headers, Attachments, TrackOpens, TrackLinks, MessageStream } =
    body
  refuseTracking(TrackOpens ?? undefined, 'TrackOpens', hasTemplate)
  refuseTracking(TrackLinks == null ? undefined : TrackLinks !== 'None', 'TrackLinks', hasTemplate)
  if (MessageStream && MessageStream !== 'outbound') {
    throw unsupported('MessageStream', 'Must be `outbound`. Send marketing email with a template of that type.')
  }
  return {
    from: From,
    to: To,
    cc: Cc ?? undefined,
    bcc: Bcc ?? undefined,
    replyTo: onlyOne(ReplyTo ?? [], 'ReplyTo'),
    headers: Headers ? Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])) : undefined,
    attachments: Attachments?.map(({ Name, Content, ContentType, ContentID }) => ({
      filename: Name,
      content: Content,
      contentType: ContentType,
      contentId: ContentID?.replace(/^cid:/i, '') || undefined,
      isInline: Boolean(ContentID),
    })),
    tags: [
      ...(Tag ? [{ name: 'tag', value: Tag, field: 'Tag' }] : []),
      ...Object.entries(Metadata ?? {}).map(([name, value]) => ({ name, value, field: `Metadata.${name}` })),
    ],
  }
}

export const PostmarkReply = z.object({
  To: z.string().optional(),
  Cc: z.string().optional(),
  Bcc: z.string().optional(),
  SubmittedAt: z.date(),
  MessageID: z.uuid().meta({ description: 'The ID of the email.' }),
  ErrorCode: z.literal(0),
  Message: z.string(),
})

export const PostmarkError = z.object({ ErrorCode: z.number().int(), Message: z.string() })

export const PostmarkBatchReply = z
  .array(z.union([PostmarkReply, PostmarkError]))
  .meta({ description: 'One entry per message, in order. `ErrorCode` is 0 for those that were accepted.' })

type Envelope = { To: string[]; Cc?: string[] | null | undefined; Bcc?: string[] | null | undefined }

/** The recipients as they were sent. */
export function postmarkReply({ To, Cc, Bcc }: Envelope, id: string, at: Date, message = 'OK') {
  return {
    To: To.join(', '),
    ...(Cc && Cc.length > 0 && { Cc: Cc.join(', ') }),
    ...(Bcc && Bcc.length > 0 && { Bcc: Bcc.join(', ') }),
    SubmittedAt: at,
    MessageID: id,
    ErrorCode: 0 as const,
    Message: message,
  }
}

const STATUSES: Record<string, number> = {
  TEMPLATE_NOT_FOUND: 404,
  BILLING_LIMIT_EXCEEDED: 402,
  INTERNAL_SERVER_ERROR: 403, // an unverified sender
}

export const postmarkItemError = (error: UsualError) =>
  postmarkError(STATUSES[error.code] ?? 422, error) as z.output<typeof PostmarkError>

/** The recipients of an item of a batch, which was read before. */
const Recipients = PostmarkEmail.pick({ To: true, Cc: true, Bcc: true })

export const envelopeOf = (item: unknown): Envelope => Recipients.parse(item)
