/**
 * Counts the contacts of dynamic segments again, because the number in a segment may be older. One after the other, and
 * only for a while: with millions of contacts and many segments, counting all of them takes too long.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

const STALE_MS = 60_000
const COUNTING_MAX_MS = 10_000

export function useFreshCounts(segments: Schemas['Segment'][] | undefined): (segment: Schemas['Segment']) => number {
  const { projectId, api } = useApi()
  const [counts, setCounts] = useState<Record<string, number>>({})
  const dynamic = segments?.filter(({ type }) => type === 'DYNAMIC') ?? []
  useQuery({
    queryKey: [projectId, 'segments', 'counts', dynamic.map(({ id, updatedAt }) => `${id} ${updatedAt}`)],
    enabled: dynamic.length > 0,
    staleTime: STALE_MS,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const startedAt = performance.now()
      for (const { id } of dynamic) {
        if (signal.aborted || performance.now() - startedAt > COUNTING_MAX_MS) break
        const { data } = await api.segments.refresh(id)
        if (!data) break
        setCounts((now) => ({ ...now, [id]: data.memberCount }))
      }
      return null
    },
  })
  return ({ id, memberCount }) => counts[id] ?? memberCount
}
