/** Attachments of POST /v1/send: base64 in, checked before anything is written. */
import { z } from 'zod'
import { isContentType } from '../../platform/mail/mime-attachment.ts'

const COUNT_MAX = 10

const Attachment = z
  .object({
    filename: z
      .string()
      .min(1, 'Must not be empty.')
      .max(255, 'Must be at most 255 characters.')
      .regex(/^[^\r\n"]*$/, 'Must not contain line breaks or quotation marks.'),
    content: z
      .string()
      .transform((text) => text.replaceAll(/\s+/g, ''))
      .refine(isBase64, { message: 'Must be base64.', params: { code: 'invalid_string' } })
      .meta({ type: 'string', contentEncoding: 'base64' }),
    contentType: z.string().refine(isContentType, {
      message: 'Must be a MIME type such as application/pdf.',
      params: { code: 'invalid_string' },
    }),
    contentId: z
      .string()
      .min(1, 'Must not be empty.')
      .max(255, 'Must be at most 255 characters.')
      .regex(/^[^\s<>"]+$/, 'Must not contain spaces, quotes or angle brackets.')
      .optional()
      .meta({ description: 'Referenced in the body as cid:<contentId>.' }),
    disposition: z.enum(['attachment', 'inline']).default('attachment'),
  })
  .superRefine((attachment, issues) => {
    if (attachment.disposition === 'inline' && attachment.contentId === undefined) {
      issues.addIssue({
        code: 'custom',
        path: ['contentId'],
        message: 'An inline attachment needs a contentId.',
        params: { code: 'invalid_type' },
      })
    }
  })

/** No repeated group: on ten megabytes that would run out of stack. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

export type StoredAttachment = z.output<typeof Attachment>

export const Attachments = z.array(Attachment).max(COUNT_MAX, `Must be at most ${COUNT_MAX} attachments.`)

/** How many bytes the content has once decoded, without decoding it. */
export function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}
