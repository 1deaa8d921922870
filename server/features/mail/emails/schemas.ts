/** Request and response schemas of emails. */
import { z } from 'zod'
import { EMAIL_STATUSES, SOURCE_TYPES } from '../../../kernel/content/mail-content.ts'
import { emailTagParam, shownEmailTags } from '../../../kernel/email-tags.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { sendAtField } from '../../../kernel/sending/send-time.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'

const mailbox = z.object({ email: z.string(), name: z.string().nullable() })

export const Email = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    contactId: z.uuid().nullable(),
    to: z.string(),
    toName: z.string().nullable(),
    cc: z
      .array(
        mailbox.extend({ inTo: z.boolean().optional().meta({ description: 'True if the header `To` shows it.' }) }),
      )
      .meta({ description: 'Further recipients of the message, shown in its header.' }),
    bcc: z.array(mailbox).meta({ description: 'Further recipients that the message does not show.' }),
    skipped: z
      .array(z.object({ email: z.string(), reason: z.string() }))
      .meta({ description: 'Recipients in `cc` and `bcc` that get no copy.' }),
    subject: z.string().meta({ description: 'The rendered subject.' }),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    replyToName: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    messageId: z.string().nullable(),
    sourceType: z.enum(SOURCE_TYPES),
    templateId: z.uuid().nullable(),
    campaignId: z.uuid().nullable(),
    workflowExecutionId: z.uuid().nullable(),
    tags: shownEmailTags,
    test: z.boolean().meta({ description: 'Sent with a test key: never delivered, and not counted.' }),
    status: z.enum(EMAIL_STATUSES),
    error: z.string().nullable(),
    attempts: z.number().int(),
    scheduledFor: z
      .date()
      .nullable()
      .meta({ description: 'When an email with `sendAt` is or was to be sent; null for others.' }),
    sentAt: z.date().nullable(),
    deliveredAt: z.date().nullable(),
    openedAt: z.date().nullable(),
    clickedAt: z.date().nullable(),
    bouncedAt: z.date().nullable(),
    complainedAt: z.date().nullable(),
    opens: z.number().int(),
    clicks: z.number().int(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Email' })

export const EmailWithContent = Email.extend({
  templateVersion: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The version of the template that a workflow sent; null for other emails.' }),
  html: z.string().nullable().meta({ description: 'The rendered body; null if it could not be rendered.' }),
  text: z.string().nullable(),
  attachments: z
    .array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        contentId: z.string().nullable(),
        disposition: z.enum(['attachment', 'inline']),
        size: z.number().int().meta({ description: 'Size in bytes.' }),
      }),
    )
    .meta({
      description: 'In order. The first is available at `/emails/{id}/attachments/0`. Empty if no longer stored.',
    }),
  timeline: z.array(
    z.object({
      event: z.string(),
      at: z.date(),
      data: z.record(z.string(), z.unknown()),
      words: z.string().optional().meta({ description: "The mail server's response, or why the email was not sent." }),
    }),
  ),
}).meta({ id: 'EmailWithContent' })

export const EmailChanges = z.object({
  sendAt: sendAtField.nullable().meta({ description: 'The new time, up to 365 days ahead; null sends the email now.' }),
})

export const SimulateRequest = z.object({
  outcome: z.enum(['open', 'click', 'bounce', 'softbounce', 'complaint']),
  link: z
    .string()
    .max(2_000, 'Must be at most 2000 characters.')
    .refine((link) => /^https?:\/\//i.test(link) && URL.canParse(link), 'Must be an http:// or https:// URL.')
    .optional()
    .meta({ description: 'The link to click. Defaults to the first link in the email.' }),
})

export type SimulateInput = z.output<typeof SimulateRequest>

export const EmailListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  contactId: z.string().optional(),
  campaignId: z.string().optional(),
  tag: emailTagParam,
  status: z
    .string()
    .optional()
    .meta({ enum: [...EMAIL_STATUSES] }),
  sourceType: z
    .string()
    .optional()
    .meta({
      enum: [...SOURCE_TYPES],
      description:
        'How the email was created: `TRANSACTIONAL` by the API or SMTP, `INBOUND` is a received email, `TEST` a test email. Each page reads up to ' +
        '20,000 emails, so it can have few or no results even if `hasMore` is true: continue with the `cursor`.',
    }),
  from: fromParam,
  to: toParam,
  search: z
    .string()
    .optional()
    .meta({
      description:
        'Matches part of the recipient address or subject, ignoring case and accents. Each page searches 20,000 emails, so it can have ' +
        'few or no results even if `hasMore` is true: continue with the `cursor` to search older emails. A search for ' +
        "a contact's full address finds the emails to this contact at any age, and other matches among the newest.",
    }),
})

export const EmailPage = cursorPageOf(Email).extend({
  total: z.number().int().meta({
    description:
      'Only on the first page; 0 if a cursor was given. At most 10,000, which means 10,000 or more. With `search` or `sourceType`, it counts only the emails that the first page searched.',
  }),
})
