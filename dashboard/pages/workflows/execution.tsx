/** One contact's way through a workflow: drawn on the graph, and told step by step. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw, X } from 'lucide-react'
import { Suspense } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { summarizeData } from '../contacts/contact-data.ts'
import { Graph, useTemplateNames, workflowKey } from './editor.tsx'
import { ContactName } from './executions.tsx'
import { RunStatus } from './run-status.tsx'
import { walkOf } from './simulate.tsx'
import { KINDS, stepName, type Workflow } from './steps.ts'

type Execution = Schemas['WorkflowExecutionWithSteps']

const isUnderWay = (execution: Execution | undefined) =>
  execution?.status === 'RUNNING' || execution?.status === 'WAITING'

export function ExecutionPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const executionId = useId('executionId')
  const workflow = useQuery({
    queryKey: workflowKey(projectId, id),
    queryFn: () => unwrap(api.workflows.get(id)),
  })
  const execution = useQuery({
    queryKey: [projectId, 'workflows', id, 'executions', executionId],
    queryFn: () => unwrap(api.workflows.executions.get(id, executionId)),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 2_000 : false),
  })
  const templates = useTemplateNames()
  const error = workflow.error ?? execution.error
  const back = { to: inProjectPath(projectId, `workflows/${id}`), label: workflow.data?.name ?? 'Workflow' }
  if (error) {
    return (
      <Page title="Execution" back={back}>
        <Problem error={error} retry={() => void execution.refetch()} />
      </Page>
    )
  }
  if (!workflow.data || !execution.data) return <Loading />
  return (
    <Page
      wide
      title="Execution"
      back={back}
      lead={
        execution.data.contactId ? (
          <Link to={inProjectPath(projectId, `contacts/${execution.data.contactId}`)} className="hover:underline">
            <ContactName id={execution.data.contactId} />
          </Link>
        ) : (
          'An erased contact'
        )
      }
      actions={<Acts execution={execution.data} />}
    >
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <section
          aria-label="The path on the graph"
          className="h-[36rem] overflow-hidden max-sm:h-96 rounded-card border border-line bg-paper shadow-lift"
        >
          <Suspense fallback={<Loading />}>
            <Graph workflow={workflow.data} templates={templates} walk={walkOf(execution.data.steps)} />
          </Suspense>
        </section>
        <Path workflow={workflow.data} execution={execution.data} />
      </div>
    </Page>
  )
}

function Acts({ execution }: { execution: Execution }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, workflowId, status } = execution
  const acts = async (act: 'cancel' | 'retry') => {
    const { error } = await api.workflows.executions[act](workflowId, id)
    if (error) toast.failed(error)
    else toast.done(act === 'cancel' ? 'Cancelled.' : 'Going on from the step that failed.')
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflowId, 'executions'] })
  }
  return (
    <>
      <RunStatus status={status} />
      {isUnderWay(execution) && (
        <Button kind="danger" onClick={() => void acts('cancel')}>
          <X aria-hidden /> Cancel
        </Button>
      )}
      {status === 'FAILED' && (
        <Button onClick={() => void acts('retry')}>
          <RotateCcw aria-hidden /> Retry
        </Button>
      )}
    </>
  )
}

function Path({ workflow, execution }: { workflow: Workflow; execution: Execution }) {
  const nameOf = (stepId: string, type: Execution['steps'][number]['type']) => {
    const step = workflow.steps.find(({ id }) => id === stepId)
    return step ? stepName(step) : `${KINDS[type].words} (removed)`
  }
  return (
    <Card title="The path">
      {execution.steps.length === 0 && <p className="text-sm text-soft">It has not reached a step yet.</p>}
      <ol className="space-y-4 text-sm">
        {execution.steps.map((run) => (
          <li key={run.id} className="space-y-1">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-medium">{nameOf(run.stepId, run.type)}</span>
              <RunStatus status={run.status} />
            </p>
            <p className="text-soft">
              <Moment at={run.startedAt} />
              {run.resumeAt && run.status === 'WAITING' && (
                <>
                  , goes on <Moment at={run.resumeAt} />
                </>
              )}
            </p>
            {run.error && <p className="text-bad">{run.error}</p>}
            {run.output && <p className="text-[0.8125rem] break-words text-soft">{summarizeData(run.output)}</p>}
          </li>
        ))}
      </ol>
      {execution.error && <p className="mt-4 text-sm text-bad">{execution.error}</p>}
    </Card>
  )
}
