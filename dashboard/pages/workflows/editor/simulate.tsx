/** Simulates the draft for one contact: shows the path in the graph, and as a list of steps. */
import { FlaskConical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { RunStatus } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { ContactPicker } from '../../contacts/picker.tsx'
import type { Path } from '../graph/graph.tsx'
import { JsonInput } from '../steps/fields.tsx'
import { stepName } from '../steps/registry.ts'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.simulation

type Simulation = Schemas['WorkflowSimulation']

export const pathOf = (steps: { stepId: string; status: string }[]): Path => ({
  statuses: Object.fromEntries(steps.map(({ stepId, status }) => [stepId, status])),
  stepIds: steps.map(({ stepId }) => stepId),
})

interface SimulateProps {
  workflow: Workflow
  draft: DraftEditor
  onPath(path: Path | undefined): void
}

export function Simulate({ workflow, draft, onPath }: SimulateProps) {
  const { api } = useApi()
  const { run, busy, error, problem } = useAction()
  const [contact, setContact] = useState<{ id: string; email: string }>()
  const [event, setEvent] = useState<unknown>()
  const [assumeEvents, setAssumeEvents] = useState(true)
  const [result, setResult] = useState<Simulation>()
  const simulateWorkflow = async (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!contact) return
    await draft.flush()
    const request = {
      contactId: contact.id,
      assumeEvents,
      draft: true,
      ...(event ? { event: event as Record<string, unknown> } : {}),
    }
    const done = await run(api.workflows.simulate(workflow.id, request))
    if (!done) return
    setResult(done.data)
    onPath(pathOf(done.data.path))
  }
  const clearResult = () => {
    setResult(undefined)
    onPath(undefined)
  }
  return (
    <>
      <form onSubmit={simulateWorkflow} className="space-y-4">
        <ContactPicker label={T.contact} chosen={contact} onChoose={setContact} />
        <JsonInput label={T.eventData} value={event} onChange={setEvent} />
        <Checkbox
          label={T.assumeEvents}
          checked={assumeEvents}
          onChange={(change) => setAssumeEvents(change.target.checked)}
        />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={busy} disabled={!contact || draft.graph.steps.length === 0}>
            <FlaskConical aria-hidden /> {T.submit}
          </Button>
          {result && (
            <Button kind="quiet" onClick={clearResult}>
              {T.clear}
            </Button>
          )}
        </div>
      </form>
      {problem && (error?.errors ? <p className="text-sm text-bad">{T.incomplete}</p> : <Problem error={problem} />)}
      {result && (
        <section aria-label={T.path} className="border-t border-line pt-4">
          <p className="mb-3 text-sm">
            {T.result} <RunStatus status={result.status} />
            {(result.exitReason ?? result.error) && (
              <span className="text-soft"> {result.exitReason ?? result.error}</span>
            )}
          </p>
          <ol className="space-y-2 text-sm">
            {result.path.map((step, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a path does not change.
              <li key={i} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="w-5 text-end text-soft">{i + 1}</span>
                <span className="font-medium">{stepName(step)}</span>
                <RunStatus status={step.status} />
                {step.branch && <span className="text-soft">{texts.branches.name(step.branch)}</span>}
                <span className="text-soft">
                  <Moment at={step.at} />
                </span>
                {step.error && <span className="text-bad">{step.error}</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
