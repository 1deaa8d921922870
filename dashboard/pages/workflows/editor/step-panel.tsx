/** The form of a step beside the graph. What is typed is part of the draft at once; there is nothing to save. */
import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PosthornError } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { MoveMenu } from '../move-menu.tsx'
import { StepTexts } from '../steps/fields.tsx'
import { branchesOf, STEPS, stepName } from '../steps/registry.ts'
import type { Branch, Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { type DraftStep, disconnect, updateStep } from './graph-edits.ts'
import { Panel } from './panel.tsx'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.step
const M = texts.moves

interface StepPanelProps {
  workflow: Workflow
  draft: DraftEditor
  step: DraftStep
  focus: number
  showErrors: boolean
  /** How many contacts wait at the step. */
  waiting: number
  onConnect(from: string, to: string, branch: Branch): void
  onDuplicate(): void
  onRemove(): void
  onClose(): void
}

/** The problems of one step, as the fields of its form expect them. */
function useStepError({ graph, problems }: DraftEditor, id: string): PosthornError | null {
  return useMemo(() => {
    const prefix = `steps.${graph.steps.findIndex((step) => step.id === id)}.`
    const errors = problems
      .filter(({ field }) => field.startsWith(prefix))
      .map((problem) => ({ ...problem, field: problem.field.slice(prefix.length) }))
    return errors.length > 0 ? { code: '', message: '', statusCode: 0, errors } : null
  }, [graph, problems, id])
}

export function StepPanel(props: StepPanelProps) {
  const { workflow, draft, step, focus, showErrors, onDuplicate, onRemove, onClose } = props
  const { title, Form } = STEPS[step.type]
  const found = useStepError(draft, step.id)
  const error = showErrors ? found : null
  const change = (changes: Partial<DraftStep>) =>
    draft.edit((graph) => updateStep(graph, step.id, changes), `${step.id} ${Object.keys(changes)}`)
  return (
    <Panel
      label={T.label}
      title={stepName(step)}
      lead={step.name ? title : undefined}
      focus={focus}
      onSubmit={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
      footer={<StepActions onDuplicate={onDuplicate} onRemove={onRemove} removeLabel={T.remove} />}
    >
      <Input
        label={texts.name}
        placeholder={title}
        value={step.name ?? ''}
        error={fieldError(error, 'name')}
        onChange={(event) => change({ name: event.target.value || null })}
      />
      <div data-first className="space-y-4">
        <StepTexts value={step.id}>
          <Form
            draft={{ ...step, name: step.name ?? '' }}
            error={error}
            triggerEvent={workflow.triggerConfig?.eventName ?? null}
            set={({ name: _, ...changes }) => change(changes)}
          />
        </StepTexts>
      </div>
      <NextSteps {...props} />
      {props.waiting > 0 && <WaitingHere workflow={workflow} stepId={step.id} contacts={props.waiting} />}
    </Panel>
  )
}

interface StepActionsProps {
  onDuplicate(): void
  onRemove(): void
  removeLabel: string
}

const StepActions = ({ onDuplicate, onRemove, removeLabel }: StepActionsProps) => (
  <>
    <Button kind="danger" onClick={onRemove}>
      <Trash2 aria-hidden /> {removeLabel}
    </Button>
    <Button onClick={onDuplicate}>
      <CopyPlus aria-hidden /> {T.duplicate}
    </Button>
  </>
)

/** The steps that follow, as an alternative to connecting boxes in the graph. */
function NextSteps({ draft, step, onConnect }: StepPanelProps) {
  const { graph, edit } = draft
  const others = graph.steps.filter(({ id }) => id !== step.id)
  const branches = branchesOf(step)
  if (others.length === 0 || branches.length === 0) return null
  return (
    <div className="space-y-3 border-t border-line pt-4">
      {branches.map((branch) => (
        <Select
          key={branch ?? 'next'}
          label={texts.branches.next(branch, branches)}
          value={graph.transitions.find((one) => one.fromStepId === step.id && one.branch === branch)?.toStepId ?? ''}
          options={{ '': T.none, ...Object.fromEntries(others.map((one) => [one.id, stepName(one)])) }}
          onChange={({ target }) =>
            target.value
              ? onConnect(step.id, target.value, branch)
              : edit((before) => disconnect(before, step.id, branch))
          }
        />
      ))}
    </div>
  )
}

/** Shown while several steps are selected. */
export const MultiplePanel = (props: Omit<StepActionsProps, 'removeLabel'> & { count: number; onClose(): void }) => (
  <Panel
    label={T.selected(props.count)}
    onClose={props.onClose}
    footer={<StepActions {...props} removeLabel={T.removeMany(props.count)} />}
  >
    <p className="text-sm text-soft">{T.selectedHint}</p>
  </Panel>
)

/** Where they go; null only skips the wait. */
type Destination = { id: string; name: string } | null

/** How many contacts wait at the step, and what can be done for all of them at once. */
function WaitingHere({ workflow, stepId, contacts }: { workflow: Workflow; stepId: string; contacts: number }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [chosen, setChosen] = useState<{ to: Destination }>()
  const move = async (to: Destination) => {
    const { steps } = api.workflows
    const { error } = await (to
      ? steps.moveExecutions(workflow.id, stepId, { stepId: to.id })
      : steps.skipWait(workflow.id, stepId))
    setChosen(undefined)
    if (error) return toast.failed(error)
    toast.done(M.allContinue)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflow.id] })
  }
  return (
    <section className="space-y-2 border-t border-line pt-4">
      <p className="text-sm text-soft">{M.waitingHere(contacts)}</p>
      <MoveMenu
        label={M.all}
        stepId={stepId}
        steps={workflow.steps}
        onSkip={() => setChosen({ to: null })}
        onMove={(to) => setChosen({ to })}
      />
      <Dialog open={chosen !== undefined} onClose={() => setChosen(undefined)} title={M.title(contacts)} disposable>
        <p className="text-sm text-soft">{chosen?.to ? M.movesTo(chosen.to.name) : M.skipsWait}</p>
        <DialogActions>
          <Button onClick={() => setChosen(undefined)}>{M.leave}</Button>
          <Button kind="primary" onClick={() => chosen && void move(chosen.to)}>
            {M.confirm}
          </Button>
        </DialogActions>
      </Dialog>
    </section>
  )
}
