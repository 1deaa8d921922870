/** The published versions of a workflow. One can be loaded into the draft again. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { formatShare } from '../../../figures/format.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { Loading } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import type { DraftGraph } from './graph-edits.ts'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.versions

export function Versions({ workflow, draft }: { workflow: Workflow; draft: DraftEditor }) {
  const { projectId, api } = useApi()
  const toast = useToast()
  const { data, error } = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'versions'],
    queryFn: async () => (await unwrap(api.workflows.versions.list(workflow.id))).data,
  })
  const stats = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'stats'],
    queryFn: () => unwrap(api.workflows.stats(workflow.id)),
  })
  const numbersOf = (number: number) => stats.data?.versions.find((version) => version.number === number)
  const restoreVersion = async (number: number) => {
    const { data, error } = await api.workflows.versions.get(workflow.id, number)
    if (error) return toast.failed(error)
    const { steps, transitions } = data
    draft.edit(() => ({ steps, transitions, executions: {} }) as unknown as DraftGraph)
    toast.done(T.restored(number))
  }
  if (error) return <Problem error={error} />
  if (!data) return <Loading />
  if (data.length === 0) return <p className="text-sm text-soft">{T.empty}</p>
  return (
    <ol className="divide-y divide-line text-sm">
      {data.map(({ number, publishedAt, stepCount }, i) => (
        <li key={number} className="flex items-center justify-between gap-3 py-2.5">
          <span className="min-w-0">
            <span className="block font-medium">
              {T.name(number)} {i === 0 && <span className="font-normal text-soft">{T.current}</span>}
            </span>
            <span className="block text-soft">
              <Moment at={publishedAt} />, {T.steps(stepCount)}
            </span>
            <Numbers numbers={numbersOf(number)} />
          </span>
          <Button aria-label={T.restoreLabel(number)} onClick={() => void restoreVersion(number)}>
            {T.restore}
          </Button>
        </li>
      ))}
    </ol>
  )
}

/** The outcome for contacts who started with a version. */
function Numbers({ numbers }: { numbers: Schemas['WorkflowStats']['versions'][number] | undefined }) {
  if (!numbers || numbers.counted === 0) return null
  const { counted, completed, failed, converted } = numbers
  return (
    <span className="figures block text-soft" title={T.numbersHint}>
      {T.numbers(counted, formatShare(completed, counted), formatShare(failed, counted))}
      {converted > 0 && ` · ${T.converted(formatShare(converted, counted))}`}
    </span>
  )
}
