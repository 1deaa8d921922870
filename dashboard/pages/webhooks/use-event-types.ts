/** The event types that can be chosen for an endpoint: the names it lists, and those that Posthorn sends. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import type { Endpoint } from './endpoint-state.tsx'

export function useEventTypes({ eventTypes }: Endpoint): string[] {
  const { api } = useApi()
  const { data } = useQuery({
    queryKey: ['webhook-event-types'],
    queryFn: () => unwrap(api.webhookEndpoints.eventTypes()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const own = eventTypes.filter((name) => !name.includes('*'))
  return [...new Set([...own, ...(data?.data.map(({ type }) => type) ?? [])])]
}
