/** A walk through the graph for one contact, without any effect: the path is drawn, and told step by step. */
import { FlaskConical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { statusLabel } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { ContactPicker } from '../contacts/picker.tsx'
import type { Walk } from './graph.tsx'
import { RunStatus } from './run-status.tsx'
import { JsonInput } from './step-fields.tsx'
import { stepName, type Workflow } from './steps.ts'

type Simulation = Schemas['WorkflowSimulation']

export const walkOf = (path: { stepId: string; status: string }[]): Walk => ({
  states: Object.fromEntries(path.map(({ stepId, status }) => [stepId, status])),
  order: path.map(({ stepId }) => stepId),
})

export function Simulate({ workflow, onWalk }: { workflow: Workflow; onWalk(walk: Walk | undefined): void }) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const [contact, setContact] = useState<{ id: string; email: string }>()
  const [event, setEvent] = useState<unknown>()
  const [assumeEvents, setAssumeEvents] = useState(true)
  const [result, setResult] = useState<Simulation>()
  const runs = async (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!contact) return
    const trial = { contactId: contact.id, assumeEvents, ...(event ? { event: event as Record<string, unknown> } : {}) }
    const done = await run(api.workflows.simulate(workflow.id, trial))
    if (!done) return
    setResult(done.data)
    onWalk(walkOf(done.data.path))
  }
  const clear = () => {
    setResult(undefined)
    onWalk(undefined)
  }
  return (
    <Card title="Simulate" lead="Where a contact would go. Nothing is sent or changed.">
      <form onSubmit={runs} className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <div className="space-y-4">
          <ContactPicker label="Contact" chosen={contact} onChoose={setContact} />
          <Checkbox
            label="Events that a step waits for do come"
            checked={assumeEvents}
            onChange={(change) => setAssumeEvents(change.target.checked)}
          />
          <div className="flex gap-2">
            <Button type="submit" busy={busy} disabled={!contact || workflow.steps.length === 0}>
              <FlaskConical aria-hidden /> Simulate
            </Button>
            {result && (
              <Button kind="quiet" onClick={clear}>
                Clear
              </Button>
            )}
          </div>
        </div>
        <JsonInput label="Data of the event, JSON" value={event} onChange={setEvent} />
      </form>
      {problem && (
        <div className="mt-4">
          <Problem error={problem} />
        </div>
      )}
      {result && (
        <section aria-label="The path" className="mt-5 border-t border-line pt-4">
          <p className="mb-3 text-sm">
            It would end as <RunStatus status={result.status} />
            {(result.exitReason ?? result.error) && (
              <span className="text-soft"> {result.exitReason ?? result.error}</span>
            )}
          </p>
          <ol className="space-y-2 text-sm">
            {result.path.map((stop, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a path does not change.
              <li key={i} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="w-5 text-right text-soft">{i + 1}</span>
                <span className="font-medium">{stepName(stop)}</span>
                <RunStatus status={stop.status} />
                {stop.branch && <span className="text-soft">{statusLabel(stop.branch)}</span>}
                <span className="text-soft">
                  <Moment at={stop.at} />
                </span>
                {stop.error && <span className="text-bad">{stop.error}</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
    </Card>
  )
}
