/** One execution: its path in the graph, and its steps as a list. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { projectPage } from '../../addresses.ts'
import { type PosthornError, type Schemas, unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useId } from '../../data/project.ts'
import { formatDuration } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { useTemplateNames } from '../../pickers/template-picker.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { RunStatus } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { VersionLink } from '../versions/template-version.tsx'
import { triggerLabel } from './editor/editor.tsx'
import type { DraftGraph } from './editor/graph-edits.ts'
import { pathOf } from './editor/simulate.tsx'
import { workflowKey } from './editor/use-draft-graph.ts'
import { useContactName } from './executions.tsx'
import { MoveMenu } from './move-menu.tsx'
import { STEPS, stepName } from './steps/registry.ts'
import type { StepType, Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const Graph = lazy(() => import('./graph/graph.tsx').then((module) => ({ default: module.Graph })))

const T = texts.execution
/** The stream reports when an execution starts and ends, but not when it enters a step. */
const STEPS_EVERY_MS = 3_000

/** The graph can't be read there; the list of steps has the same path. */
const PHONE = '(width < 40rem)'

type Execution = Schemas['WorkflowExecutionWithSteps']

const isActive = (execution: Execution | undefined) =>
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
    refetchInterval: ({ state }) => (isActive(state.data) ? STEPS_EVERY_MS : false),
  })
  useLiveQueries(
    [[projectId, 'workflows', id, 'executions', executionId]],
    ({ metadata }) => metadata.executionId === executionId,
  )
  const templates = useTemplateNames(workflow.data?.steps.map(({ templateId }) => templateId) ?? [])
  const contact = useContactName(execution.data?.contactId ?? null)
  const error = workflow.error ?? execution.error
  const back = { to: projectPage(projectId, 'workflows/$id', { id }), label: workflow.data?.name ?? texts.workflow }
  if (error) {
    return (
      <Page title={T.title} back={back}>
        <Problem error={error} retry={() => void execution.refetch()} />
      </Page>
    )
  }
  if (!workflow.data || !execution.data) return <Loading />
  return (
    <Page
      wide
      title={contact}
      back={back}
      lead={<Lead execution={execution.data} />}
      actions={<ExecutionActions execution={execution.data} steps={workflow.data.steps} />}
    >
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
        {!matchMedia(PHONE).matches && (
          <section
            aria-label={T.graph}
            className="h-[36rem] overflow-hidden xl:h-[calc(100dvh-13rem)] rounded-card border border-line bg-paper shadow-lift"
          >
            <Suspense fallback={<Loading />}>
              <Graph
                graph={workflow.data as unknown as DraftGraph}
                trigger={triggerLabel(workflow.data)}
                templates={templates}
                path={pathOf(execution.data.steps)}
              />
            </Suspense>
          </section>
        )}
        <StepRuns workflow={workflow.data} execution={execution.data} />
      </div>
    </Page>
  )
}

/** When it started and how long it took. */
function Lead({ execution: { status, goalReached, startedAt, completedAt, contactId } }: { execution: Execution }) {
  const { projectId } = useApi()
  const seconds = completedAt ? Math.round((Date.parse(completedAt) - Date.parse(startedAt)) / 1000) : 0
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <RunStatus status={status} />
      {goalReached && <span className="font-medium text-good">{T.goalReached}</span>}
      <span>
        <RichText
          text={completedAt ? T.ran : T.running}
          elements={{
            start: () => <Moment at={startedAt} />,
            duration: () => (seconds < 60 ? T.seconds(seconds) : formatDuration(seconds)),
            contact: () =>
              contactId && (
                <Link to={projectPage(projectId, 'contacts/$id', { id: contactId })} className="text-accent underline">
                  {T.viewContact}
                </Link>
              ),
          }}
        />
      </span>
    </div>
  )
}

function ExecutionActions({ execution, steps }: { execution: Execution; steps: Workflow['steps'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, workflowId, status, currentStepId } = execution
  const { executions } = api.workflows
  const report = (error: PosthornError | undefined, done: string) => {
    if (error) toast.failed(error)
    else toast.done(done)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflowId, 'executions'] })
  }
  const skip = async () => report((await executions.skipWait(workflowId, id)).error, texts.moves.skipped)
  const move = async (to: { id: string; name: string }) =>
    report((await executions.move(workflowId, id, { stepId: to.id })).error, texts.moves.moved(to.name))
  const cancelOrRetry = async (action: 'cancel' | 'retry') => {
    const { error } = await executions[action](workflowId, id)
    report(error, action === 'cancel' ? T.cancelled : T.retried)
  }
  return (
    <>
      {status === 'WAITING' && currentStepId && (
        <MoveMenu
          label={texts.moves.continue}
          stepId={currentStepId}
          steps={steps}
          onSkip={() => void skip()}
          onMove={(to) => void move(to)}
        />
      )}
      {isActive(execution) && (
        <Button kind="danger" onClick={() => void cancelOrRetry('cancel')}>
          <X aria-hidden /> {T.cancel}
        </Button>
      )}
      {status === 'FAILED' && (
        <Button onClick={() => void cancelOrRetry('retry')}>
          <RotateCcw aria-hidden /> {T.retry}
        </Button>
      )}
    </>
  )
}

/** The outcome of a step, with links to its email and its template. */
function StepOutput({ type, output }: { type: StepType; output: Record<string, unknown> }) {
  const { emailId, templateId, templateVersion } = output
  const { projectId } = useApi()
  const templates = useTemplateNames(typeof templateId === 'string' ? [templateId] : [])
  return (
    <p className="text-[0.8125rem] break-words text-soft">
      {output.movedTo
        ? texts.moves.output
        : typeof output.goal === 'string'
          ? T.goal(output.goal)
          : STEPS[type].describeOutput(output)}
      {typeof templateId === 'string' && typeof templateVersion === 'number' && (
        <>
          {' · '}
          <VersionLink templateId={templateId}>{T.template(templates[templateId], templateVersion)}</VersionLink>
        </>
      )}
      {typeof emailId === 'string' && (
        <>
          {' · '}
          <Link
            to={projectPage(projectId, 'emails/$id', { id: emailId })}
            className="font-medium text-accent underline"
          >
            {T.viewEmail}
          </Link>
        </>
      )}
    </p>
  )
}

function StepRuns({ workflow, execution }: { workflow: Workflow; execution: Execution }) {
  const nameOf = (stepId: string, type: Execution['steps'][number]['type']) => {
    const step = workflow.steps.find(({ id }) => id === stepId)
    return step ? stepName(step) : texts.step.removed(STEPS[type].title)
  }
  return (
    <Card title={T.steps}>
      {execution.steps.length === 0 && <p className="text-sm text-soft">{T.noSteps}</p>}
      <ol className="space-y-4 text-sm">
        {execution.steps.map((run) => (
          <li key={run.id} className="space-y-1">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-medium">{nameOf(run.stepId, run.type)}</span>
              <RunStatus status={run.status} />
            </p>
            <p className="text-[0.8125rem] text-soft">
              <RichText
                text={run.resumeAt && run.status === 'WAITING' ? T.startedAndResumes : T.started}
                elements={{
                  start: () => <Moment at={run.startedAt} />,
                  resume: () => <Moment at={run.resumeAt} />,
                }}
              />
            </p>
            {run.error && <p className="text-bad">{run.error}</p>}
            {run.output && <StepOutput type={run.type} output={run.output} />}
          </li>
        ))}
      </ol>
      {execution.error && <p className="mt-4 text-sm text-bad">{execution.error}</p>}
    </Card>
  )
}
