/** The names that a condition refers to by ID: of segments, and of workflows and campaigns if it has any. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import type { Names } from './describe-condition.ts'

interface Named {
  id: string
  name: string
}

const STALE_MS = 60_000

export function useConditionNames(conditions: unknown[], segments: Named[] | undefined): Names {
  const { projectId, api } = useApi()
  const text = JSON.stringify(conditions)
  const { data: workflows } = useQuery({
    queryKey: [projectId, 'workflows', 'choices'],
    enabled: text.includes('"workflow.'),
    queryFn: async () => (await unwrap(api.workflows.list({ pageSize: 100 }))).data,
    staleTime: STALE_MS,
  })
  const { data: campaigns } = useCampaignChoices(text.includes('"campaignId"'))
  const all: Named[] = [...(segments ?? []), ...(workflows ?? []), ...(campaigns ?? [])]
  return new Map(all.map(({ id, name }) => [id, name]))
}

/** The latest campaigns. */
function useCampaignChoices(enabled: boolean) {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'campaigns', 'choices'],
    enabled,
    queryFn: async () => (await unwrap(api.campaigns.list({ pageSize: 100, content: 'false' }))).data,
    staleTime: STALE_MS,
  })
}
