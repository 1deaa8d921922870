/** The content fields that templates and campaigns share, with their limits, and the states of an email. */
import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { EmailDocument } from './email-document.ts'
import { SOURCE_MAX } from './template-limits.ts'

/** MARKETING emails have a footer and unsubscribe headers, HEADLESS only the headers, TRANSACTIONAL neither. */
export const CONTENT_TYPES = ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const

export type ContentType = (typeof CONTENT_TYPES)[number]

/** How an email was created. */
export const SOURCE_TYPES = ['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND', 'TEST'] as const

/** Until 0.2.0, a test was an email of no campaign. The function `is_test` of the database is the same. */
export const isTest = ({ source_type, campaign_id }: { source_type: string; campaign_id: string | null }): boolean =>
  source_type === 'TEST' || (source_type === 'CAMPAIGN' && campaign_id === null)

export const EMAIL_STATUSES = [
  'SCHEDULED',
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'CANCELLED',
  'SKIPPED',
  'RECEIVED',
] as const

export const NAME_MAX = 200
const DESCRIPTION_MAX = 1_000
const LINE_MAX = 998
const SENDER_NAME_MAX = 255
/** Clients show about a hundred characters; Liquid needs more. */
const PREHEADER_MAX = 500

const atMost = (max: number) => z.string().max(max, `Must be at most ${max} characters.`)
const oneLine = (max: number) => atMost(max).regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

export const contentFields = {
  name: z.string().trim().min(1, 'Must not be empty.').max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`),
  description: atMost(DESCRIPTION_MAX).nullable(),
  subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').meta({ description: 'Supports Liquid.' }),
  body: atMost(SOURCE_MAX).min(1, 'Must not be empty.').meta({ description: 'HTML; supports Liquid.' }),
  text: atMost(SOURCE_MAX)
    .min(1, 'Must not be empty.')
    .nullable()
    .meta({ description: 'The plain text part; supports Liquid. Generated from the HTML if there is none.' }),
  fromName: oneLine(SENDER_NAME_MAX).nullable(),
  replyTo: emailAddress.nullable(),
  type: z.enum(CONTENT_TYPES),
  preheader: oneLine(PREHEADER_MAX)
    .nullable()
    .meta({ description: 'Shown after the subject in the inbox, and hidden in the email. Supports Liquid.' }),
}

/** The two other ways to write a body. They are compiled to HTML when they are saved. */
export const sourceFields = {
  document: EmailDocument.nullish().meta({ description: 'Compiled to `body`. Set it instead of `body` or `mjml`.' }),
  mjml: atMost(SOURCE_MAX)
    .min(1, 'Must not be empty.')
    .nullish()
    .meta({ description: 'MJML with Liquid, compiled to `body`. Set it instead of `body` or `document`.' }),
}

export interface ContentSource {
  body?: string | undefined
  document?: EmailDocument | null | undefined
  mjml?: string | null | undefined
}

const SOURCES = ['body', 'document', 'mjml'] as const

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Refuses a request that sets more than one of body, document and mjml. */
export function checkOneSource(value: ContentSource, check: z.RefinementCtx): void {
  for (const field of SOURCES.filter((name) => isGiven(value[name])).slice(1)) {
    check.addIssue({ code: 'custom', path: [field], message: 'Only one of body, document and mjml can be set.' })
  }
}

/** The body is required unless a document or MJML is set. It is reported together with other problems. */
export const bodyIsRequired = {
  path: ['body'],
  message: 'This field is required.',
  params: { code: 'invalid_type' },
  when: () => true,
}

export const hasSource = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || SOURCES.some((name) => isGiven((value as ContentSource)[name]))

/** For drafts: subject and body can be empty. */
export const unfinishedFields = {
  subject: oneLine(LINE_MAX).meta({ description: 'Supports Liquid. Can be empty.' }),
  body: atMost(SOURCE_MAX).meta({ description: 'HTML; supports Liquid. Can be empty.' }),
}
