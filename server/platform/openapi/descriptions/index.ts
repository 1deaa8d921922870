/**
 * Fills in the description of fields that a schema leaves without one: by the name of the field, or by its path where a name has
 * several meanings. A description in the schema itself takes precedence, and is the place for anything particular.
 */
import type { JsonSchema, OpenApiDocument } from '../openapi-shape.ts'
import { COMMON } from './common.ts'
import { PARTICULAR } from './particular.ts'
import { SENDING } from './sending.ts'
import { SETTINGS } from './settings.ts'

const TEXTS: Record<string, string> = { ...COMMON, ...SENDING, ...SETTINGS, ...PARTICULAR }

/** `Campaign.waves.at` is found as such, then as `waves.at`, then as `at`. */
export function textFor(path: string[]): string | undefined {
  const name = path.at(-1)!
  for (let from = 0; from < path.length; from++) {
    const key = path.slice(from).join('.')
    const text = Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined
    if (text !== undefined) return text.replaceAll('{thing}', thingOf(path.slice(0, -1)))
  }
  return /^[a-z]+Id$/.test(name) ? `ID of the ${name.slice(0, -2)}.` : undefined
}

/** Names of properties and schemas that hold one thing, or a list of it. Others are passed over, such as `data` and `results`. */
const THINGS: Record<string, string> = {
  Analytic: 'campaign',
  BillingInvoices: 'invoice',
  CompatibleEndpoint: 'email',
  Consent: 'entry',
  SavedBlocks: 'saved block',
  Service: 'message',
  User: 'account',
  by: 'person or key',
  decidedBy: 'person or key',
  usedInCampaigns: 'campaign',
  usedInSegments: 'segment',
  usedInWorkflows: 'workflow',
  workflowSteps: 'workflow step',
  campaigns: 'campaign',
  actor: 'actor',
  attachments: 'attachment',
  blocks: 'block',
  campaign: 'campaign',
  contact: 'contact',
  email: 'email',
  emails: 'email',
  event: 'event',
  fields: 'field',
  members: 'member',
  project: 'project',
  records: 'record',
  results: 'result',
  segment: 'segment',
  steps: 'step',
  step: 'step',
  subscription: 'subscription',
  template: 'template',
  topics: 'topic',
  transitions: 'transition',
  user: 'person',
  variants: 'variant',
  versions: 'version',
  workflow: 'workflow',
  key: 'key',
  links: 'link',
  marks: 'mark',
  archive: 'archive',
  invoices: 'invoice',
}

const ENDINGS =
  /(WithGraph|WithKeys|WithSecret|WithContent|WithSteps|Details|Input|(?<!Audit)Entry|List|Stats|Counts|Usage)$/
const STARTS = /^(Created|Examined|Upserted)/

/** Begins at the innermost part of the path. */
function thingOf(path: string[]): string {
  for (const part of [...path].reverse()) {
    if (Object.hasOwn(THINGS, part)) return THINGS[part]!
    if (/^[A-Z]/.test(part)) return wordsOf(part.replace(ENDINGS, '').replace(STARTS, ''))
  }
  return 'object'
}

/** `ApiKey` is `API key`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^api\b/, 'API')

/** Changes the document, which the caller has just made. */
export function describeFields(document: OpenApiDocument): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describe(schema, [name])
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, tags, parameters = [], requestBody, responses } of Object.values(methods)) {
      const thing = singularTag(tags[0] ?? '')
      for (const parameter of parameters) {
        if ('in' in parameter) parameter.description ??= textFor([thing, operationId, parameter.name])
      }
      for (const { schema } of Object.values(requestBody?.content ?? {})) describe(schema, [thing, operationId])
      for (const response of Object.values(responses)) {
        if (!('content' in response)) continue
        for (const { schema } of Object.values(response.content ?? {})) describe(schema, [thing, `${operationId}>`])
      }
    }
  }
}

/** `API keys` is `ApiKey`, like the name of a schema. */
const singularTag = (tag: string): string =>
  tag
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/^API /, 'Api ')
    .replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const isEntries = (name: string, { type }: JsonSchema): boolean => name === 'data' && type === 'array'

function describe(schema: JsonSchema, path: string[]): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const own = [...path, name]
    const text = field.description ?? (isEntries(name, field) ? 'The entries of this page.' : textFor(own))
    if (text !== undefined) field.description = text
    describe(field, own)
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) describe(part, path)
  if (isSchema(schema.items)) describe(schema.items, path)
  if (isSchema(schema.additionalProperties)) describe(schema.additionalProperties, path)
}
