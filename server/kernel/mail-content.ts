/** The content fields that templates and campaigns share, with their limits, and the states of an email. */
import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { SOURCE_MAX } from './template-limits.ts'

/** MARKETING emails have a footer and unsubscribe headers, HEADLESS only the headers, TRANSACTIONAL neither. */
export const CONTENT_TYPES = ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const

export type ContentType = (typeof CONTENT_TYPES)[number]

export const EMAIL_STATUSES = [
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
  'RECEIVED',
] as const

export const NAME_MAX = 200
const DESCRIPTION_MAX = 1_000
const LINE_MAX = 998
const SENDER_NAME_MAX = 255

const atMost = (max: number) => z.string().max(max, `Must be at most ${max} characters.`)
const oneLine = (max: number) => atMost(max).regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

export const contentFields = {
  name: z.string().trim().min(1, 'Must not be empty.').max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`),
  description: atMost(DESCRIPTION_MAX).nullable(),
  subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').meta({ description: 'Supports Liquid.' }),
  body: atMost(SOURCE_MAX).min(1, 'Must not be empty.').meta({ description: 'HTML; supports Liquid.' }),
  fromName: oneLine(SENDER_NAME_MAX).nullable(),
  replyTo: emailAddress.nullable(),
  type: z.enum(CONTENT_TYPES),
}

/** For drafts: subject and body can be empty. */
export const unfinishedFields = {
  subject: oneLine(LINE_MAX).meta({ description: 'Supports Liquid. Can be empty.' }),
  body: atMost(SOURCE_MAX).meta({ description: 'HTML; supports Liquid. Can be empty.' }),
}
