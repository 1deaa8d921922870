/** The active and recently completed executions of enabled workflows, by the workflow's ID. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

/** Counting takes longer than what the stream refreshes. */
const REFETCH_MS = 30_000

type Counts = Schemas['WorkflowCounts']

export function useWorkflowCounts(enabled: boolean): Record<string, Counts> {
  const { projectId, api } = useApi()
  const { data = [] } = useQuery({
    queryKey: [projectId, 'workflows', 'counts'],
    enabled,
    refetchInterval: REFETCH_MS,
    queryFn: () => unwrap(api.workflows.counts()),
  })
  return Object.fromEntries(data.map((counts) => [counts.workflowId, counts]))
}
