/** Reads what the content and the variables of an email say, whether they were stored encrypted or not. */
import type { ContentEncryption } from '../content-encryption.ts'
import type { StoredAttachment } from './mime-attachment.ts'

/** The part of a content that can be encrypted. */
export interface MessageText {
  body: string
  plain: string | null
  attachments: StoredAttachment[]
  /** What all emails with this content have in their templates. */
  data?: Record<string, unknown> | null
}

/** A `MessageText` as it is encrypted. Attachments are in JSON already. */
export const textBytes = (
  body: string,
  plain: string | null,
  attachments: Buffer,
  data: MessageText['data'] = null,
): Buffer =>
  Buffer.concat([
    Buffer.from(`{"body":${JSON.stringify(body)},"plain":${JSON.stringify(plain)},"attachments":`),
    attachments,
    Buffer.from(data ? `,"data":${JSON.stringify(data)}}` : '}'),
  ])

/** A content and the variables of its emails are encrypted with different keys. */
export const variablesKey = (contentId: string): string => `${contentId} variables`

interface StoredEmail<V> {
  content_id: string
  variables: V
  encrypted_variables: Buffer | null
}

export const readVariables = <V>(secrets: ContentEncryption, email: StoredEmail<V>): V =>
  email.encrypted_variables
    ? secrets.decryptJson(variablesKey(email.content_id), email.encrypted_variables)
    : email.variables

interface StoredContent {
  content_body: string | null
  content_plain: string | null
  attachments: StoredAttachment[] | null
  content_data?: Record<string, unknown> | null
  content_encrypted: Buffer | null
}

type ReadText<C extends StoredContent> = Pick<C, 'content_body' | 'content_plain' | 'attachments' | 'content_data'>

/** The columns that are encrypted, in a readable form. */
export function readText<C extends StoredContent>(
  secrets: ContentEncryption,
  contentId: string,
  content: C,
): ReadText<C> {
  if (!content.content_encrypted) return content
  const {
    body,
    plain,
    attachments,
    data = null,
  } = secrets.decryptJson<MessageText>(contentId, content.content_encrypted)
  return { content_body: body, content_plain: plain, attachments, content_data: data }
}

/** Emails that are claimed together share the bytes of their content, which are decrypted once. */
export function createEmailReader(ctx: { secrets: ContentEncryption }) {
  const texts = new WeakMap<Buffer, ReadText<StoredContent>>()

  return function readEmail<E extends StoredContent & StoredEmail<unknown>>(email: E): E {
    const { content_encrypted: encrypted, encrypted_variables } = email
    if (!encrypted && !encrypted_variables) return email
    const text = (encrypted && texts.get(encrypted)) ?? readText(ctx.secrets, email.content_id, email)
    if (encrypted) texts.set(encrypted, text)
    return { ...email, ...text, variables: readVariables(ctx.secrets, email) }
  }
}
