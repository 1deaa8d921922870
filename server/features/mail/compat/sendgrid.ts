/** Requests of SendGrid. Each personalization is a message of its own. */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Outgoing } from './actions.ts'
import {
  type CompatMessage,
  type FieldNames,
  labelTags,
  onlyOne,
  refuseLongText,
  refuseTracking,
  replaceAll,
  unsupported,
} from './message.ts'
import { unixTime } from './schedule.ts'

const Address = z.object({
  email: z.string().meta({ description: 'The address.' }),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? undefined)
    .meta({ type: 'string', description: 'The name.' }),
})

const addressList = z.array(Address)
const texts = z.record(z.string(), z.string())
const sendAt = z
  .number()
  .int('Must be a whole number of seconds since 1970.')
  .optional()
  .meta({ description: 'When the email is sent, in seconds since 1970.' })
const headers = texts.optional().meta({ description: 'Further headers.' })
const customArgs = z.record(z.string(), z.unknown()).optional().meta({ description: 'Each becomes a tag.' })

/** Each takes time for every character of the content. */
const SUBSTITUTIONS_MAX = 100

const Personalization = z.object({
  to: addressList
    .min(1, 'Must contain at least one recipient.')
    .meta({ description: 'Recipients of one message, who see each other.' }),
  cc: addressList.optional().meta({ description: 'Further recipients, shown in the message.' }),
  bcc: addressList.optional().meta({ description: 'Further recipients, not shown in the message.' }),
  from: Address.optional().meta({ description: 'Replaces the sender.' }),
  subject: z.string().optional().meta({ description: 'Replaces the subject.' }),
  headers,
  substitutions: texts
    .refine(
      (values) => Object.keys(values).length <= SUBSTITUTIONS_MAX,
      `Must have at most ${SUBSTITUTIONS_MAX} substitutions.`,
    )
    .optional()
    .meta({ description: 'Texts that are replaced in the subject and the content.' }),
  dynamic_template_data: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'The variables of the template.' }),
  custom_args: customArgs,
  send_at: sendAt,
})

const Attachment = z.object({
  content: z.string().meta({ description: 'The file in base64.' }),
  filename: z.string().meta({ description: 'The name of the file.' }),
  type: z.string().optional().meta({ description: 'Such as `application/pdf`. By default, that of the file name.' }),
  disposition: z
    .enum(['attachment', 'inline'])
    .optional()
    .meta({ description: '`inline` shows the file in the body.' }),
  content_id: z.string().optional().meta({ description: 'By which the body refers to the file.' }),
})

const enabled = (description: string) =>
  z
    .looseObject({ enable: z.boolean().optional().meta({ description: 'False, except for the sandbox mode.' }) })
    .optional()
    .meta({ description })

const MailSettings = z.object({
  sandbox_mode: enabled('Checks the request and sends nothing.'),
  bypass_list_management: enabled('Only disabled.'),
  bypass_spam_management: enabled('Only disabled.'),
  bypass_bounce_management: enabled('Only disabled.'),
  bypass_unsubscribe_management: enabled('Only disabled.'),
  footer: enabled('Only disabled.'),
  bcc: enabled('Only disabled.'),
  spam_check: enabled('Only disabled.'),
})

const TrackingSettings = z.object({
  click_tracking: enabled('Only disabled: tracking is a setting of the project.'),
  open_tracking: enabled('Only disabled: tracking is a setting of the project.'),
  subscription_tracking: enabled('Only disabled.'),
  ganalytics: enabled('Only disabled.'),
})

const PERSONALIZATIONS_MAX = 1_000

export const SendgridMail = z.object({
  personalizations: z
    .array(Personalization)
    .min(1, 'Must contain at least one personalization.')
    .max(PERSONALIZATIONS_MAX, `Must contain at most ${PERSONALIZATIONS_MAX} personalizations.`)
    .meta({ description: 'One message each.' }),
  from: Address.meta({ description: 'The sender.' }),
  reply_to: Address.optional().meta({ description: 'The address for replies.' }),
  reply_to_list: addressList.optional().meta({ description: 'One address for replies.' }),
  subject: z
    .string()
    .optional()
    .meta({ description: 'Required, unless the personalizations have one or a template is named.' }),
  content: z
    .array(
      z.object({
        type: z.string().meta({ description: '`text/plain` or `text/html`.' }),
        value: z.string().min(1, 'Must not be empty.').meta({ description: 'The content, sent unchanged.' }),
      }),
    )
    .optional()
    .meta({ description: 'The parts of the message. Required, unless a template is named.' }),
  attachments: z.array(Attachment).optional().meta({ description: 'Up to 10 files.' }),
  template_id: z
    .string()
    .min(1, 'Must not be empty.')
    .optional()
    .meta({ description: 'The ID of a template, with or without `d-` before it, or the name of a template.' }),
  headers,
  categories: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: 'Become the tags `category`, `category_2` and so on.' }),
  custom_args: customArgs,
  send_at: sendAt,
  mail_settings: MailSettings.optional().meta({ description: 'Settings of this request.' }),
  tracking_settings: TrackingSettings.optional().meta({ description: 'Settings of this request.' }),
  batch_id: z.string().optional().meta({ description: 'Not supported.' }),
  asm: z.unknown().optional().meta({ description: 'Not supported.' }),
  ip_pool_name: z.string().optional().meta({ description: 'Not supported.' }),
  sections: z.unknown().optional().meta({ description: 'Not supported.' }),
})

export const SendgridErrors = z.object({
  errors: z.array(z.object({ message: z.string(), field: z.string().nullable(), help: z.null() })),
})

type Mail = z.output<typeof SendgridMail>

const UNSUPPORTED = {
  batch_id: 'Batches of requests are not supported. Cancel scheduled emails by their IDs.',
  asm: 'Unsubscribe groups are not supported. Send a template that belongs to a topic.',
  ip_pool_name: 'Pools of IP addresses are not supported. Remove this field.',
  sections: 'Sections are not supported. Use substitutions.',
} as const

const NAMES: FieldNames = {
  body: 'content',
  text: 'content',
  reply: 'reply_to',
  template: 'template_id',
  sendAt: 'send_at',
  tags: 'custom_args',
  attachment: { contentType: 'type', contentId: 'content_id' },
}

const namesOf = (i: number): FieldNames => ({
  ...NAMES,
  to: `personalizations.${i}.to`,
  cc: `personalizations.${i}.cc`,
  bcc: `personalizations.${i}.bcc`,
  data: `personalizations.${i}.dynamic_template_data`,
})

export interface SendgridRequest {
  outgoing: Outgoing[]
  /** Sends nothing. */
  isSandbox: boolean
}

export async function readSendgrid(ctx: Pick<Context, 'clock'>, mail: Mail): Promise<SendgridRequest> {
  for (const [field, message] of Object.entries(UNSUPPORTED)) {
    if (mail[field as keyof typeof UNSUPPORTED] !== undefined) throw unsupported(field, message)
  }
  const base = readBase(mail)
  const isSandbox = readSettings(mail)
  const outgoing: Outgoing[] = []
  for (const [i, one] of mail.personalizations.entries()) {
    if (one.substitutions) await setImmediate() // other requests are served in between
    outgoing.push({ message: personalize(ctx, base, mail, one, i), names: namesOf(i) })
  }
  return { outgoing, isSandbox }
}

/** Returns whether the sandbox mode is enabled. */
function readSettings({ mail_settings = {}, tracking_settings = {}, template_id }: Mail): boolean {
  const { sandbox_mode, ...others } = mail_settings
  for (const [name, setting] of Object.entries(others)) {
    if (setting?.enable) throw unsupported(`mail_settings.${name}`, 'This setting is not supported. Remove it.')
  }
  for (const [name, setting] of Object.entries(tracking_settings)) {
    const field = `tracking_settings.${name}.enable`
    if (/^(click|open)_/.test(name)) refuseTracking(setting?.enable, field, template_id !== undefined)
    else if (setting?.enable) throw unsupported(field, 'This setting is not supported. Remove it.')
  }
  return sandbox_mode?.enable ?? false
}

function readBase(mail: Mail): Omit<CompatMessage, 'to'> {
  const { reply_to, reply_to_list, content = [], attachments, template_id } = mail
  refuseLongText(content.map(({ value }) => value))
  if (reply_to && reply_to_list) throw invalidField('reply_to_list', 'Must be absent if `reply_to` is present.')
  if (template_id !== undefined && content.length > 0)
    throw invalidField('content', 'Must be absent if `template_id` is present.')
  const part = (type: string) => content.find((one) => one.type.split(';')[0]!.trim().toLowerCase() === type)
  const known = [part('text/plain'), part('text/html')]
  const other = content.findIndex((one) => !known.includes(one))
  if (other !== -1) throw unsupported(`content.${other}.type`, 'Must be text/plain or text/html, each at most once.')
  return {
    replyTo: reply_to ?? onlyOne(reply_to_list ?? [], 'reply_to_list'),
    text: known[0]?.value,
    html: known[1]?.value,
    attachments: attachments?.map(({ filename, content, type, disposition, content_id }) => ({
      filename,
      content,
      contentType: type,
      contentId: content_id,
      isInline: disposition === 'inline',
    })),
  }
}

/** SendGrid's package sends variables only if the ID begins with `d-`. A name can begin with it, such as an ID of SendGrid. */
const templateRef = (id: string): string => (isId(id.replace(/^d-/, '')) ? id.replace(/^d-/, '') : id)

function personalize(
  { clock }: Pick<Context, 'clock'>,
  base: Omit<CompatMessage, 'to'>,
  mail: Mail,
  one: z.output<typeof Personalization>,
  i: number,
): CompatMessage {
  const { template_id, categories = [] } = mail
  const at = `personalizations.${i}`
  const { substitutions, dynamic_template_data: data, to, cc, bcc } = one
  if (template_id === undefined && data) throw invalidField(`${at}.dynamic_template_data`, 'Requires `template_id`.')
  if (template_id !== undefined && substitutions) {
    throw unsupported(`${at}.substitutions`, 'Use `dynamic_template_data` with a template.')
  }
  const time = one.send_at ?? mail.send_at
  const custom = { ...mail.custom_args, ...one.custom_args }
  return {
    ...base,
    to,
    cc,
    bcc,
    from: one.from ?? mail.from,
    subject: replaceAll(one.subject ?? mail.subject, substitutions),
    html: replaceAll(base.html, substitutions),
    text: replaceAll(base.text, substitutions),
    headers: mail.headers || one.headers ? { ...mail.headers, ...one.headers } : undefined,
    tags: [
      ...labelTags('category', [categories].flat(), 'categories'),
      ...Object.entries(custom).map(([name, value]) => ({ name, value, field: `custom_args.${name}` })),
    ],
    template: template_id === undefined ? undefined : { ref: templateRef(template_id), data: data ?? {} },
    sendAt: time === undefined ? undefined : unixTime(time, clock.now(), 'send_at'),
  }
}
