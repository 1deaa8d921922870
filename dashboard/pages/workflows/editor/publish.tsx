/** The bar above the graph that shows unpublished changes, and publishes or discards them. */
import { CircleAlert, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../data/project.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm, Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { Workflow } from '../steps/step.ts'
import { waitTexts } from '../steps/wait-texts.ts'
import { texts } from '../texts.ts'
import { type DraftGraph, stepsWithNewTimes } from './graph-edits.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.publishing

export type Publishing = ReturnType<typeof usePublish>

/**
 * Publishes the draft, and asks about contacts at removed steps if nothing was chosen for them yet. If steps are
 * incomplete, `onProblem` gets the first one.
 */
export function usePublish(workflow: Workflow, draft: DraftEditor, onProblem: (stepId: string | undefined) => void) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ graph: DraftGraph; message: string }>()
  const [occupied, setOccupied] = useState<{
    steps: { stepId: string; contacts: number }[]
    waiting: Record<string, WaitChoice> | undefined
  }>()
  const [proceed, setProceed] = useState<() => void>()
  const [asking, setAsking] = useState<AboutWaits>()
  const countWaiting = useWaitingCount(workflow, draft)

  const publish = async (
    executions?: DraftGraph['executions'],
    waiting?: Record<string, WaitChoice>,
  ): Promise<boolean> => {
    if (draft.invalidStep) {
      onProblem(draft.invalidStep)
      setRefused({ graph: draft.graph, message: T.invalid })
      return false
    }
    setBusy(true)
    const about = waiting ? undefined : await countWaiting()
    if (about) {
      setBusy(false)
      setAsking({ ...about, executions })
      return false
    }
    const result = await draft.publish(executions, waiting)
    setBusy(false)
    if (result.published) return true
    if (result.occupied) setOccupied({ steps: result.occupied, waiting })
    else if (result.error) {
      const problem = result.error.errors?.[0]
      const index = Number(/^steps\.([0-9]+)\./.exec(problem?.field ?? '')?.[1])
      onProblem(draft.graph.steps[index]?.id)
      const message = problem ? (Number.isNaN(index) ? problem.message : T.invalid) : result.error.message
      setRefused({ graph: draft.graph, message })
    }
    return false
  }
  const publishThen = (then: () => void) => {
    setProceed(() => then)
    void publish().then((done) => done && then())
  }
  const questionAboutWaits = asking && (
    <WaitDialog
      contacts={asking.contacts}
      steps={asking.stepIds.length}
      onClose={() => setAsking(undefined)}
      onChoose={(choice) => {
        setAsking(undefined)
        const waiting = Object.fromEntries(asking.stepIds.map((id) => [id, choice]))
        void publish(asking.executions, waiting).then((done) => done && proceed?.())
      }}
    />
  )
  const questionAboutRemoved = occupied && (
    <RemoveDialog
      steps={draft.changes.removed.filter(({ id }) => occupied.steps.some(({ stepId }) => stepId === id))}
      counts={new Map(occupied.steps.map(({ stepId, contacts }) => [stepId, { active: contacts }]))}
      published={workflow}
      left={draft.graph.steps}
      onClose={() => setOccupied(undefined)}
      onRemove={(executions) => {
        setOccupied(undefined)
        const all = { ...draft.graph.executions, ...executions }
        void publish(all, occupied.waiting ?? {}).then((done) => done && proceed?.())
      }}
    />
  )
  /** Why publishing was refused, until the draft is changed. */
  const refusal = refused?.graph === draft.graph ? refused.message : undefined
  return { publishThen, busy, refusal, dialog: questionAboutWaits ?? questionAboutRemoved }
}

type WaitChoice = 'keep' | 'apply'

interface AboutWaits {
  contacts: number
  stepIds: string[]
  executions: DraftGraph['executions'] | undefined
}

/** Counts the contacts who wait at steps with new times. Undefined if there are none. */
function useWaitingCount(workflow: Workflow, draft: DraftEditor) {
  const { api } = useApi()
  return async () => {
    const changed = stepsWithNewTimes(workflow as unknown as DraftGraph, draft.graph)
    if (changed.length === 0) return undefined
    const { data } = await api.workflows.stats(workflow.id)
    const waiting = data?.steps.filter(({ stepId, active }) => active > 0 && changed.some(({ id }) => id === stepId))
    if (!waiting || waiting.length === 0) return undefined
    const contacts = waiting.reduce((sum, { active }) => sum + active, 0)
    return { contacts, stepIds: waiting.map(({ stepId }) => stepId) }
  }
}

interface WaitDialogProps {
  contacts: number
  steps: number
  onClose(): void
  onChoose(choice: WaitChoice): void
}

/** Asks what new times of steps mean for the contacts who wait there. */
function WaitDialog({ contacts, steps, onClose, onChoose }: WaitDialogProps) {
  const [choice, setChoice] = useState<WaitChoice>('keep')
  return (
    <Dialog open disposable onClose={onClose} title={waitTexts.title(contacts)}>
      <p className="mb-3 text-sm text-soft">{waitTexts.lead(steps)}</p>
      <RadioCards<WaitChoice>
        legend={waitTexts.choice}
        hideLegend
        name="waiting"
        value={choice}
        options={{ keep: waitTexts.keep, apply: waitTexts.apply }}
        onChange={setChoice}
      />
      <DialogActions>
        <Button onClick={onClose}>{waitTexts.cancel}</Button>
        <Button kind="primary" onClick={() => onChoose(choice)}>
          {T.publish}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface PublishBarProps {
  workflow: Workflow
  draft: DraftEditor
  publishing: Publishing
  /** Leaves room for the panel. */
  isPanelOpen: boolean
}

export function PublishBar({ workflow, draft, publishing, isPanelOpen }: PublishBarProps) {
  const { publishThen, busy, refusal } = publishing
  const toast = useToast()
  const [discarding, setDiscarding] = useState(false)
  const { changes, saveState, edit, flush, reload, saveOver } = draft
  const outdated = draft.isOutdated && changes.any ? T.outdated : undefined
  const problem = saveState === 'failed' || saveState === 'conflict' ? T[saveState] : (refusal ?? outdated)
  const publishChanges = () => publishThen(() => toast.done(workflow.enabled ? T.published : T.publishedDisabled))
  const discardChanges = async () => {
    edit(() => ({ steps: workflow.steps, transitions: workflow.transitions, executions: {} }) as unknown as DraftGraph)
  }
  return (
    <>
      {(changes.any || saveState === 'failed' || saveState === 'conflict') && (
        <section
          aria-label={T.label}
          data-bottom-bar
          className={`absolute end-3 bottom-3 start-14 z-5 flex w-fit flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-card py-2 pe-2 ps-4 text-sm shadow-float ${isPanelOpen ? 'lg:end-102' : ''}`}
        >
          <p className="flex items-center gap-2" aria-live="polite">
            {problem ? (
              <span className="flex items-start gap-2 font-medium text-bad">
                <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {problem}
              </span>
            ) : (
              <>
                <span className="font-medium whitespace-nowrap">{T.summary(changes)}</span>
                <span className="text-soft max-2xl:sr-only">{T[saveState]}</span>
              </>
            )}
          </p>
          <span className="flex gap-2">
            {saveState === 'failed' && <Button onClick={() => void flush()}>{T.retry}</Button>}
            {saveState === 'conflict' ? (
              <>
                <Button onClick={reload}>
                  <RotateCw aria-hidden /> {T.reload}
                </Button>
                <Button onClick={() => void saveOver()}>{T.saveOver}</Button>
              </>
            ) : (
              <>
                <Button kind="quiet" onClick={() => setDiscarding(true)}>
                  {T.discard}
                </Button>
                <Button kind="primary" busy={busy} onClick={publishChanges}>
                  {T.publish}
                </Button>
              </>
            )}
          </span>
        </section>
      )}
      <Confirm
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={T.discardTitle}
        action={T.discard}
        dismiss={T.keep}
        onConfirm={discardChanges}
      >
        <p>{T.discardEffect(changes)}</p>
      </Confirm>
    </>
  )
}
