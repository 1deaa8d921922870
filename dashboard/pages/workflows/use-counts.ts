/** The active and recently completed executions of enabled workflows, by the workflow's ID. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../api.ts'
import { useLiveQueries } from '../../live.ts'
import { useApi } from '../../project.ts'

type Counts = Schemas['WorkflowCounts']

export function useWorkflowCounts(enabled: boolean): Record<string, Counts> {
  const { projectId, api } = useApi()
  const queryKey = [projectId, 'workflows', 'counts']
  const { data = [] } = useQuery({ queryKey, enabled, queryFn: () => unwrap(api.workflows.counts()) })
  useLiveQueries([queryKey], ({ type }) => type.startsWith('workflow.'))
  return Object.fromEntries(data.map((counts) => [counts.workflowId, counts]))
}
