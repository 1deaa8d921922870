/** A campaign: which actions are allowed in which status, and its columns. */
import { z } from 'zod'
import { eventNamesOf, fieldsOf, segmentIdsOf } from '../../../kernel/conditions/condition.ts'
import { storedCondition } from '../../../kernel/conditions/condition-schema.ts'
import { EDITORS, type Editor, EmailDocument, editorOf } from '../../../kernel/content/email-document.ts'
import { CONTENT_TYPES, contentFields, sourceFields } from '../../../kernel/content/mail-content.ts'
import { emailAddress, senderDomain } from '../../../kernel/email-address.ts'
import { conflict, type Refusal } from '../../../kernel/errors.ts'
import { emailCountFields } from '../../../kernel/sending/email-rates.ts'
import { shownUtm, UtmSetting } from '../../../kernel/sending/settings.ts'
import { shownTags, tagsField } from '../../../kernel/tags.ts'
import { AUDIENCE_TYPES, audienceFields } from '../../audience/segments/audience-schemas.ts'
import { topicIdField } from '../../audience/topics/schemas.ts'
import { FeedSetting, shownFeed } from './feeds/fetch-feed.ts'
import { shownTiming, showTiming } from './waves/timing.ts'

// Which actions are allowed in which status. Statements check it again when they write.

export const CAMPAIGN_STATUSES = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/**
 * | action        | resulting status                                           |
 * |---------------|------------------------------------------------------------|
 * | change        | unchanged                                                  |
 * | send          | SENDING now, or SCHEDULED for later; SENT when all is sent |
 * | cancel        | CANCELLED; emails that haven't been sent won't be sent     |
 * | pause, resume | SENDING, with and without `pausedAt`                       |
 * | retry         | SENDING until the failed emails are retried, then SENT     |
 * | delete        | none                                                       |
 */
export const ALLOWED = {
  change: ['DRAFT', 'SCHEDULED'],
  send: ['DRAFT', 'SCHEDULED'],
  cancel: ['SCHEDULED', 'SENDING'],
  pause: ['SENDING'],
  resume: ['SENDING'],
  retry: ['SENDING', 'SENT'],
  delete: ['DRAFT', 'SENT', 'CANCELLED'],
} as const satisfies Record<string, readonly CampaignStatus[]>

export type CampaignAction = keyof typeof ALLOWED

const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const VERBS: Record<CampaignAction, string> = {
  change: 'changed',
  send: 'sent',
  cancel: 'canceled',
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  delete: 'deleted',
}

export const isAllowed = (act: CampaignAction, status: string): boolean =>
  (ALLOWED[act] as readonly string[]).some((allowed) => allowed === status)

/** With a status that allows the action, the campaign was changed between a check and the action. */
export function notAllowed(act: CampaignAction, status: string): Refusal {
  if (isAllowed(act, status)) return conflict('The campaign was changed at the same time. Check it and try again.')
  const suggestion =
    act === 'delete'
      ? 'Cancel the campaign first.'
      : act === 'send' || act === 'change'
        ? 'Duplicate the campaign instead.'
        : undefined
  const states = LIST.format(ALLOWED[act])
  const message = `A campaign with status ${status} can't be ${VERBS[act]}; the status must be ${states}.`
  return conflict(message, suggestion ? { suggestion } : {})
}

// The columns: the name in the API, how it is returned and, if the author sets it, the field of the request. Schemas, rows,
// statements, copies and responses are derived from this table.

const { name, description, subject, body, text: plainText, fromName, replyTo, type, preheader } = contentFields
const text = z.string()
const moment = z.date().nullable()
const count = z.number().int()

interface Column {
  column: string
  shown: z.ZodType
  /** The field of a request; absent if the author doesn't set it. */
  input?: z.ZodType
  /** The default if the request omits the field and the template has no value. */
  fromTemplate?: true
  otherwise?: unknown
}

const COLUMNS = {
  id: { column: 'id', shown: z.uuid() },
  name: { column: 'name', shown: text, input: name },
  description: { column: 'description', shown: text.nullable(), input: description.optional() },
  subject: { column: 'subject', shown: text, input: subject.optional(), fromTemplate: true },
  body: { column: 'body', shown: text, input: body.optional(), fromTemplate: true },
  document: {
    column: 'document',
    shown: EmailDocument.nullable(),
    input: sourceFields.document,
    fromTemplate: true,
  },
  mjml: { column: 'mjml', shown: text.nullable(), input: sourceFields.mjml, fromTemplate: true },
  text: {
    column: 'plain',
    shown: text.nullable().meta({ description: 'The plain text part; null if it is generated from the HTML.' }),
    input: plainText.optional(),
    fromTemplate: true,
  },
  preheader: { column: 'preheader', shown: text.nullable(), input: preheader.optional(), fromTemplate: true },
  from: {
    column: 'from_email',
    shown: text,
    input: emailAddress.optional().meta({ description: 'The domain must be verified.' }),
    fromTemplate: true,
  },
  fromName: { column: 'from_name', shown: text.nullable(), input: fromName.optional(), fromTemplate: true },
  replyTo: { column: 'reply_to', shown: text.nullable(), input: replyTo.optional(), fromTemplate: true },
  type: {
    column: 'type',
    shown: z.enum(CONTENT_TYPES),
    input: type.optional().meta({ description: "Defaults to the template's type, or MARKETING." }),
    fromTemplate: true,
    otherwise: 'MARKETING',
  },
  topicId: {
    column: 'topic_id',
    shown: z.uuid().nullable().meta({ description: 'The topic of its emails; null if they have none.' }),
    input: topicIdField.optional(),
    fromTemplate: true,
  },
  version: {
    column: 'version',
    shown: count.meta({
      description: 'The current version of the content; once the campaign is sent, the one that was sent.',
    }),
  },
  status: { column: 'status', shown: z.enum(CAMPAIGN_STATUSES) },
  audienceType: { column: 'audience_type', shown: z.enum(AUDIENCE_TYPES), input: audienceFields.audienceType },
  audienceCondition: {
    column: 'audience_condition',
    shown: storedCondition.nullable(),
    input: audienceFields.audienceCondition,
  },
  segmentId: { column: 'segment_id', shown: z.uuid().nullable(), input: audienceFields.segmentId },
  templateId: {
    column: 'template_id',
    shown: z.uuid().nullable(),
    input: z
      .uuid('Must be a template ID.')
      .nullable()
      .optional()
      .meta({ description: "Subject, body, sender and type default to the template's." }),
  },
  tags: {
    column: 'tags',
    shown: shownTags,
    input: tagsField.optional().meta({ description: 'If omitted, the tags stay unchanged.' }),
    otherwise: [],
  },
  isPublic: {
    column: 'is_public',
    shown: z.boolean().meta({ description: "Whether it is in the project's public archive once it is sent." }),
    input: z.boolean().optional().meta({ description: 'If omitted, it stays unchanged; false at first.' }),
    otherwise: false,
  },
  utm: {
    column: 'utm',
    shown: shownUtm.meta({ description: "The parameters of its links; null if they are the project's." }),
    input: UtmSetting.nullable().optional().meta({
      description:
        "Replaces the project's `utm` for the links of this campaign. Null: the project's; if all three are null, nothing is added.",
    }),
  },
  feed: {
    column: 'feed',
    shown: shownFeed.meta({ description: 'What the email shows as `feed`; null if nothing.' }),
    input: FeedSetting.nullable().optional().meta({
      description:
        'An RSS or Atom feed, or JSON, that templates have as `feed`. Fetched once, when the campaign starts; if that fails, nothing is sent.',
    }),
  },
  recurrence: {
    column: 'recurrence',
    shown: z
      .enum(['active', 'paused', 'ended'])
      .nullable()
      .meta({ description: 'Whether copies of this draft are sent regularly; null if it has no recurrence.' }),
  },
  recurrenceOf: {
    column: 'recurrence_of',
    shown: z.uuid().nullable().meta({ description: 'The recurring campaign that this one is an occurrence of.' }),
  },
  hasExperiment: {
    column: 'has_experiment',
    shown: z
      .boolean()
      .meta({ description: 'Whether variants of it are tested, see `GET /campaigns/{id}/experiment`.' }),
  },
  scheduledFor: { column: 'scheduled_for', shown: moment },
  heldReason: {
    column: 'held_reason',
    shown: text.nullable().meta({ description: 'Why sending could not start or continue; null otherwise.' }),
  },
  pausedAt: { column: 'paused_at', shown: moment },
  totalRecipients: {
    column: 'total_recipients',
    shown: count.meta({ description: 'An estimate until sending starts, then exact.' }),
  },
  sentCount: { column: 'sent', shown: count },
  deliveredCount: { column: 'delivered', shown: count },
  openedCount: { column: 'opened', shown: count },
  clickedCount: { column: 'clicked', shown: count },
  bouncedCount: { column: 'bounced', shown: count },
  refusedCount: { column: 'refused', shown: emailCountFields.refused },
  skippedCount: {
    column: 'skipped',
    shown: count.meta({
      description: "Emails that were not sent because of the project's frequency cap or sunset rule.",
    }),
  },
  projectId: { column: 'project_id', shown: z.uuid() },
  sentAt: { column: 'sent_at', shown: moment.meta({ description: 'When sending started.' }) },
  finishedAt: { column: 'finished_at', shown: moment },
  createdAt: { column: 'created_at', shown: z.date() },
  updatedAt: { column: 'updated_at', shown: z.date() },
} as const satisfies Record<string, Column>

type Columns = typeof COLUMNS
type Name = keyof Columns
type WrittenName = { [N in Name]: Columns[N] extends { input: z.ZodType } ? N : never }[Name]

/** Derived from the author's fields, so that references of a campaign can be queried. */
interface Derived {
  /** In the form in which domains are stored. */
  from_domain: string
  fields: string[]
  event_names: string[]
  segment_ids: string[]
}

type Written = { [N in WrittenName as Columns[N]['column']]: z.output<Columns[N]['shown']> }

/** The author's fields, as they are stored. */
export type CampaignFields = Written & Derived

/** All returned fields, as they are stored. */
export type ShownColumns = { [N in Name as Columns[N]['column']]: z.output<Columns[N]['shown']> }

/** The fields of a response. */
export const campaignShape = {
  ...(pick((entry) => entry.shown) as { [N in Name]: Columns[N]['shown'] }),
  editor: z.enum(EDITORS).meta({ description: 'What the body is written in.' }),
  timing: shownTiming,
}

/** The fields of a request. */
export const campaignInputShape = pick((entry: Column) => entry.input) as {
  [N in WrittenName]: Columns[N]['input']
}

function pick(of: (entry: Column) => z.ZodType | undefined): Record<string, z.ZodType> {
  const entries = Object.entries<Column>(COLUMNS).map(([name, entry]) => [name, of(entry)] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, z.ZodType] => entry[1] !== undefined))
}

type Input = { [N in WrittenName]?: z.output<Columns[N]['input']> }
type Template = { [N in WrittenName]?: unknown }

/** The request merged with its template. */
export function fieldsFrom(input: Input, template: Template | undefined): CampaignFields {
  const written = Object.entries<Column>(COLUMNS).flatMap(
    ([name, { column, input: isWritten, fromTemplate, otherwise }]) => {
      if (!isWritten) return []
      const inherited = fromTemplate ? template?.[name as WrittenName] : undefined
      const value = input[name as WrittenName]
      return [[column, value === undefined ? (inherited ?? otherwise ?? null) : value]]
    },
  )
  const fields: Omit<CampaignFields, keyof Derived> = Object.fromEntries(written)
  const condition = fields.audience_condition
  return {
    ...fields,
    from_domain: senderDomain(fields.from_email),
    fields: condition ? fieldsOf(condition) : [],
    event_names: condition ? eventNamesOf(condition) : [],
    segment_ids: condition ? segmentIdsOf(condition) : [],
  }
}

type TemplateContent = Pick<Input, 'subject' | 'body' | 'document' | 'mjml' | 'text' | 'preheader'>

/** With the content of a template instead of its own. */
export const withTemplate = (
  fields: CampaignFields,
  { subject, body, document, mjml, text: plain, preheader }: TemplateContent,
): CampaignFields => ({
  ...fields,
  subject: subject ?? '',
  body: body ?? '',
  document: document ?? null,
  mjml: mjml ?? null,
  plain: plain ?? null,
  preheader: preheader ?? null,
})

/** The columns that a copy has. */
export function fieldsOfRow(row: CampaignFields): CampaignFields {
  const derived: Array<keyof Derived> = ['from_domain', 'fields', 'event_names', 'segment_ids']
  const written = Object.values<Column>(COLUMNS).flatMap(({ column, input }) => (input ? [column] : []))
  const taken = [...written, ...derived] as Array<keyof CampaignFields>
  return Object.fromEntries(taken.map((column) => [column, row[column]])) as unknown as CampaignFields
}

type ShownFields = { [N in Name]: z.output<Columns[N]['shown']> }
export type ShownCampaign = ShownFields & { editor: Editor; timing: z.output<typeof shownTiming> }

export const showCampaign = (row: ShownColumns & { send_options: unknown }): ShownCampaign => ({
  ...(Object.fromEntries(
    Object.entries(COLUMNS).map(([name, { column }]) => [name, row[column]]),
  ) as unknown as ShownFields),
  editor: editorOf(row),
  timing: showTiming(row.send_options),
})
