/**
 * UPDATE_CONTACT: sets, changes or removes data of the contact by the same rules as everywhere, and its subscription.
 * A flip is recorded as an event. A workflow is nobody's hand: setting `subscribed` lifts no suppression.
 */
import { z } from 'zod'
import { applyDataRules, dataObject } from '../../kernel/contact-data.ts'
import { changeContacts } from '../contacts/actions.ts'
import { type Outcome, type Scene, stepKind } from './step-kind.ts'
import { renderJson, templatingOf, textsIn } from './templating.ts'

interface Updates {
  updates?: Record<string, unknown> | null | undefined
  subscribed?: boolean | null | undefined
}

const config = z.object({ updates: dataObject.nullish(), subscribed: z.boolean().nullish() })

export const updateContactStep = stepKind<Updates>({
  type: 'UPDATE_CONTACT',
  config,
  templates: ({ updates }) => textsIn(updates ?? {}, 'updates'),
  run: async (scene, updates) => (await changed([scene], updates))[0]!,
  runTogether: changed,
})

async function changed(scenes: Scene[], { updates, subscribed }: Updates): Promise<Outcome[]> {
  const [{ ctx, projectId }] = scenes as [Scene]
  const wanted: Array<{ id: string; data: Record<string, unknown> }> = []
  for (const scene of scenes) wanted.push({ id: scene.contact.id, data: await renderedUpdates(scene, updates ?? {}) })
  const changes = wanted.map(({ id, data }) => ({
    id,
    change: applyDataRules(data, 'updates'),
    subscribed: subscribed ?? undefined,
  }))
  const contacts = new Map((await changeContacts(ctx, projectId, changes)).map((contact) => [contact.id, contact]))
  return wanted.map(({ id, data }) => {
    const contact = contacts.get(id)
    if (!contact) return { kind: 'fails', error: 'The contact was deleted.' }
    return { kind: 'goes on', contact, output: { updates: data, ...(subscribed == null ? {} : { subscribed }) } }
  })
}

const renderedUpdates = async (scene: Scene, updates: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await renderJson(templatingOf(scene), updates)) as Record<string, unknown>
