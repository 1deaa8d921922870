/** The fields that conditions of this project can use: contact fields, topics, events, email activity, segments and workflows. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { CONTACT_FIELDS, EMAIL_FIELDS, type KnownField } from './condition.ts'
import { isSystemEvent } from './event-labels.ts'
import { conditionTexts } from './texts.ts'

export interface FieldFamily {
  label: string
  fields: KnownField[]
}

/** `event` starts the workflow of a CONDITION step, which can use its data. `null` stands for any event. */
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
  const { data: topics } = useQuery({
    queryKey: [projectId, 'topics'],
    queryFn: () => unwrap(api.topics.list({ limit: 100 })),
  })
  const { data: workflows } = useQuery({
    queryKey: [projectId, 'workflows', 'choices'],
    queryFn: async () => (await unwrap(api.workflows.list({ pageSize: 100 }))).data,
    staleTime: 60_000,
  })
  const { data: eventFields } = useQuery({
    queryKey: [projectId, 'workflows', 'fields', event ?? ''],
    enabled: event !== undefined,
    queryFn: async () => (await unwrap(api.workflows.fields(event ? { eventName: event } : undefined))).fields,
  })
  const labels = conditionTexts.families
  const families: FieldFamily[] = [
    { label: labels.contact, fields: CONTACT_FIELDS },
    {
      label: labels.data,
      fields: (fields ?? [])
        .filter((one) => one.isCustom)
        .map(({ field, type }) => ({ field, type, label: field.slice('data.'.length) })),
    },
    {
      label: labels.trigger,
      fields: (eventFields ?? [])
        .filter((one) => one.category === 'event')
        .map(({ field, type }) => ({ field, type, label: field.slice('event.data.'.length) })),
    },
    {
      label: labels.topic,
      fields: (topics?.data ?? []).map(({ key, name }) => ({ field: `topics.${key}`, label: name, type: 'boolean' })),
    },
    { label: labels.email, fields: EMAIL_FIELDS },
    {
      label: labels.event,
      fields: (names ?? [])
        .filter((name) => !isSystemEvent(name))
        .map((name) => ({ field: `event.${name}`, label: name })),
    },
    {
      label: labels.segment,
      fields: (segments ?? []).map(({ id, name }) => ({ field: `segment.${id}`, label: name })),
    },
    {
      label: labels.workflow,
      fields: (workflows ?? []).map(({ id, name }) => ({ field: `workflow.${id}`, label: name })),
    },
  ]
  return families.filter(({ fields }) => fields.length > 0)
}
