/** The properties of an event that the list shows as columns. */
import { useQuery } from '@tanstack/react-query'
import { isSystemEvent } from '../../conditions/event-labels.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

/** More don't fit beside the contact and the date. */
const COLUMNS_MAX = 4

/** Those that most events have. None for all events together, which have little in common. */
export function useEventProperties(name: string): string[] {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'events', name, 'fields'],
    enabled: name !== '' && !isSystemEvent(name),
    queryFn: async () => (await unwrap(api.events.fields(name))).fields,
  })
  if (!name || isSystemEvent(name)) return []
  return (data ?? [])
    .toSorted((a, b) => b.coverage - a.coverage)
    .slice(0, COLUMNS_MAX)
    .map(({ property }) => property)
}
