/**
 * UPDATE_CONTACT: changes the contact's data, by the rules that apply to all contact data, and its subscription, which
 * is recorded as an event. Setting `subscribed` does not lift a suppression.
 */
import { z } from 'zod'
import { applyDataRules, dataObject, isTooMuchToStore, TOO_MUCH_TO_STORE } from '../../../kernel/contact-data.ts'
import { changeContacts } from '../../audience/contacts/actions.ts'
import { defineStep, type Outcome, type StepInput } from './step.ts'
import { renderJson, templatingOf, textsIn } from './templating.ts'

const config = z.object({ updates: dataObject.nullish(), subscribed: z.boolean().nullish() })

type Config = z.output<typeof config>

export const updateContactStep = defineStep({
  type: 'UPDATE_CONTACT',
  config,
  liquid: ({ updates }) => textsIn(updates ?? {}, 'updates'),
  async prepare({ updates, subscribed }) {
    applyDataRules(updates ?? {}, 'config.updates')
    return { used_fields: [...fieldsIn(updates, 'data'), ...(subscribed === undefined ? [] : ['subscribed'])] }
  },
  run: async (input, config) => (await update([input], config))[0]!,
  runMany: update,
})

/** The paths of a nested object: `data.address` and `data.address.city`. */
const fieldsIn = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, item]) => [`${path}.${key}`, ...fieldsIn(item, `${path}.${key}`)])
    : []

async function update(inputs: StepInput[], { updates, subscribed }: Config): Promise<Outcome[]> {
  const [{ ctx, db, projectId }] = inputs as [StepInput]
  const rendered: Array<{ id: string; data: Record<string, unknown> }> = []
  const tooLarge = new Set<string>()
  const changes: Parameters<typeof changeContacts>[2] = []
  for (const input of inputs) {
    const { id, data: before } = input.contact
    const data = await renderUpdates(input, updates ?? {})
    const change = applyDataRules(data, 'updates')
    rendered.push({ id, data })
    if (isTooMuchToStore({ ...before, ...change.patch })) tooLarge.add(id)
    else changes.push({ id, change, subscribed: subscribed ?? undefined })
  }
  const changed = await changeContacts(ctx, projectId, changes, { source: 'workflow' }, db)
  const contacts = new Map(changed.map((contact) => [contact.id, contact]))
  return rendered.map(({ id, data }) => {
    if (tooLarge.has(id)) return { kind: 'fail', error: TOO_MUCH_TO_STORE }
    const contact = contacts.get(id)
    if (!contact) return { kind: 'fail', error: 'The contact was deleted.' }
    return { kind: 'continue', contact, output: { updates: data, ...(subscribed == null ? {} : { subscribed }) } }
  })
}

const renderUpdates = async (input: StepInput, updates: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await renderJson(templatingOf(input), updates)) as Record<string, unknown>
