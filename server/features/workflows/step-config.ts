/**
 * Reads the settings of a step as they come in: by the rules of its type, with every Liquid text in them readable. Comes
 * back as columns: a template and an awaited event are looked for, so they stand beside the rest.
 */
import type { Context } from '../../context.ts'
import type { Condition } from '../../kernel/condition.ts'
import { applyDataRules, type Data } from '../../kernel/contact-data.ts'
import { invalidField, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { requireNamedSegments } from '../segments/actions.ts'
import { refuseBrokenLiquid } from '../templates/actions.ts'
import type { StepType } from './graph.ts'
import { holdTemplate, type StepFields } from './queries.ts'
import { validateConfig } from './schemas.ts'
import { kindOf } from './steps.ts'

export interface GivenStep {
  config: Record<string, unknown>
  templateId: string | null | undefined
}

type Settings = Pick<StepFields, 'config' | 'template_id' | 'event_name'>

/** Throws what is wrong with it. Nothing of another project passes. */
export async function readSettings(
  ctx: Context,
  tx: Tx,
  projectId: string,
  type: StepType,
  { config, templateId }: GivenStep,
): Promise<Settings> {
  const kind = kindOf(type)
  const read = validateConfig(kind.config, config)
  const texts = Object.entries(kind.templates?.(read) ?? {}).map(([path, text]) => [`config.${path}`, text])
  refuseBrokenLiquid(Object.fromEntries(texts))

  const settings = { template_id: null, event_name: null }
  if (type === 'SEND_EMAIL') {
    return {
      ...settings,
      config: read as StepFields['config'],
      template_id: await readTemplate(tx, projectId, config, templateId),
    }
  }
  if (type === 'CONDITION') {
    await requireNamedSegments({ ...ctx, db: tx }, projectId, read as Condition)
    return { ...settings, config: 'groups' in config ? (read as StepFields['config']) : flat(read as Condition) }
  }
  const kept = read as StepFields['config']
  if (type === 'UPDATE_CONTACT') applyDataRules((kept.updates ?? {}) as Data, 'config.updates')
  return { ...settings, config: kept, event_name: type === 'WAIT_FOR_EVENT' ? String(kept.eventName) : null }
}

/** One filter alone is kept as it was written. */
const flat = (condition: Condition): StepFields['config'] => ({ ...condition.groups[0]!.filters[0]! })

async function readTemplate(
  tx: Tx,
  projectId: string,
  config: Record<string, unknown>,
  given: string | null | undefined,
): Promise<string> {
  const field = given ? 'templateId' : 'config.templateId'
  const id = given ?? config.templateId
  if (id === undefined || id === null) throw invalidField('templateId', 'This field is required.', 'invalid_type')
  if (typeof id !== 'string') throw invalidField(field, 'Must be a template id.', 'invalid_type')
  if (!isId(id)) throw invalidField(field, 'Must be a template id.', 'invalid_string')
  if (!(await holdTemplate(tx, projectId, id))) throw notFound('template', id)
  return id
}
