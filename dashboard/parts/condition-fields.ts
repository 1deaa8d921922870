/** Everything a condition may ask about in this project: fields of contacts, events, email activity, segments. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../api.ts'
import { useApi } from '../project.ts'
import { ACTIVITIES, type KnownField, STANDARD } from './condition.ts'
import { isOurs } from './event-words.ts'

export interface FieldFamily {
  words: string
  fields: KnownField[]
}

/** `event` is the one that starts a workflow: a CONDITION step may look at its data. `null` for any. */
export function useConditionFields(event?: string | null): FieldFamily[] {
  const { projectId, api } = useApi()
  const { data: fields } = useQuery({
    queryKey: [projectId, 'contacts', 'fields'],
    queryFn: async () => (await unwrap(api.contacts.fields.list())).fields,
  })
  const { data: names } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  const { data: segments } = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
  })
  const { data: eventFields } = useQuery({
    queryKey: [projectId, 'workflows', 'fields', event ?? ''],
    enabled: event !== undefined,
    queryFn: async () => (await unwrap(api.workflows.fields(event ? { eventName: event } : undefined))).fields,
  })
  const families: FieldFamily[] = [
    { words: 'Contact', fields: STANDARD },
    {
      words: 'Data',
      fields: (fields ?? [])
        .filter((one) => one.isCustom)
        .map(({ field, type }) => ({ field, type, words: field.slice('data.'.length) })),
    },
    {
      words: 'What started the workflow',
      fields: (eventFields ?? [])
        .filter((one) => one.category === 'event')
        .map(({ field, type }) => ({ field, type, words: field.slice('event.data.'.length) })),
    },
    { words: 'Email', fields: Object.entries(ACTIVITIES).map(([field, words]) => ({ field, words })) },
    {
      words: 'Event',
      fields: (names ?? []).filter((name) => !isOurs(name)).map((name) => ({ field: `event.${name}`, words: name })),
    },
    { words: 'Segment', fields: (segments ?? []).map(({ id, name }) => ({ field: `segment.${id}`, words: name })) },
  ]
  return families.filter(({ fields }) => fields.length > 0)
}
