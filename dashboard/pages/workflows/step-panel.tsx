/** The form of a step beside the graph: a new step, or an existing one with its next steps. */
import { Trash2, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { PosthornError } from '../../api.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { fieldError, Input, Select } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { type OpenBranch, openBranches } from './branches.ts'
import type { Point } from './layout.ts'
import { STEPS, stepName } from './steps/registry.ts'
import type { Branch, Step, StepDraft, StepType, Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.step

interface PanelProps {
  workflow: Workflow
  onClose(): void
  onChanged(): void
}

const requestOf = ({ name, config, templateId }: StepDraft) => ({
  name: name || null,
  config,
  ...(templateId ? { templateId } : {}),
})

interface FormProps extends Pick<PanelProps, 'workflow' | 'onClose'> {
  label: string
  title: string
  draft: StepDraft
  set(changes: Partial<StepDraft>): void
  error: PosthornError | null
  onSubmit(event: FormEvent): void
  children: ReactNode
}

/** On narrow screens the form is below the graph and is scrolled into view. */
const BELOW_THE_GRAPH = '(width < 80rem)'

function StepForm({ workflow, label, title, draft, set, error, onSubmit, onClose, children }: FormProps) {
  const { title: stepTitle, Form } = STEPS[draft.type]
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (matchMedia(BELOW_THE_GRAPH).matches) form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <form
      ref={form}
      onSubmit={onSubmit}
      aria-label={label}
      className="scroll-mt-18 rounded-card border border-line bg-card p-5 shadow-lift"
    >
      <div className="mb-4 flex items-center justify-between gap-3">
        <h2 className="min-w-0 font-semibold tracking-tight wrap-anywhere">{title}</h2>
        <IconButton label={T.close} className="-mr-2" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className="space-y-4">
        <Form draft={draft} error={error} triggerEvent={workflow.triggerConfig?.eventName ?? null} set={set} />
        <Input
          label={texts.name}
          placeholder={stepTitle}
          value={draft.name}
          error={fieldError(error, 'name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        {children}
      </div>
    </form>
  )
}

const keyOf = ({ stepId, branch }: Pick<OpenBranch, 'stepId' | 'branch'>) => `${stepId} ${branch ?? ''}`

interface NewProps extends PanelProps {
  type: StepType
  at: Point | undefined
  after: string | undefined
  onAdded(step: Step): void
}

export function NewStepPanel({ workflow, type, at, after, onClose, onChanged, onAdded }: NewProps) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState<StepDraft>({ type, name: '', config: STEPS[type].defaultConfig, templateId: null })
  const open = openBranches(workflow)
  const [previous, setPrevious] = useState(() =>
    keyOf(open.find(({ stepId }) => stepId === after) ?? open.at(-1) ?? NONE),
  )
  const addStep = async (event: FormEvent) => {
    event.preventDefault()
    const step = { type, ...requestOf(draft), ...(at ? { position: at } : {}) }
    const done = await run(api.workflows.steps.create(workflow.id, step))
    if (!done) return
    const from = open.find((branch) => keyOf(branch) === previous)
    if (from) {
      const { error } = await api.workflows.transitions.create(workflow.id, {
        fromStepId: from.stepId,
        toStepId: done.data.id,
        branch: from.branch,
      })
      if (error) toast.failed(error)
    }
    onChanged()
    onAdded(done.data)
  }
  return (
    <StepForm
      workflow={workflow}
      label={T.newLabel}
      title={T.newTitle(STEPS[type].title)}
      draft={draft}
      set={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      error={error}
      onSubmit={addStep}
      onClose={onClose}
    >
      {workflow.steps.length > 0 && (
        <Select
          label={T.previous}
          value={previous}
          options={{
            ...Object.fromEntries(open.map((branch) => [keyOf(branch), branch.label])),
            [keyOf(NONE)]: T.none,
          }}
          onChange={(event) => setPrevious(event.target.value)}
        />
      )}
      {problem && <Problem error={problem} />}
      <Button kind="primary" shortcut="save" type="submit" busy={busy}>
        {T.add}
      </Button>
    </StepForm>
  )
}

const NONE = { stepId: '', branch: null }

export function StepPanel({ workflow, step, onClose, onChanged }: PanelProps & { step: Step }) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState<StepDraft>({
    type: step.type,
    name: step.name ?? '',
    config: step.config,
    templateId: step.templateId,
  })
  const saveStep = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.workflows.steps.update(workflow.id, step.id, requestOf(draft))))) return
    toast.done(T.saved)
    onChanged()
  }
  const removeStep = async () => {
    const { error } = await api.workflows.steps.delete(workflow.id, step.id, { splice: true })
    if (error) return toast.failed(error)
    onClose()
    onChanged()
  }
  return (
    <StepForm
      workflow={workflow}
      label={T.label}
      title={stepName(step)}
      draft={draft}
      set={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      error={error}
      onSubmit={saveStep}
      onClose={onClose}
    >
      {problem && <Problem error={problem} />}
      <div className="flex justify-between gap-2">
        <Button kind="danger" onClick={() => void removeStep()}>
          <Trash2 aria-hidden /> {T.remove}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {T.save}
        </Button>
      </div>
      <NextSteps workflow={workflow} step={step} onChanged={onChanged} />
    </StepForm>
  )
}

/** The steps that follow, as an alternative to connecting boxes in the graph. */
function NextSteps({ workflow, step, onChanged }: Pick<PanelProps, 'workflow' | 'onChanged'> & { step: Step }) {
  const { api } = useApi()
  const toast = useToast()
  const others = workflow.steps.filter(({ id }) => id !== step.id)
  const { branches } = STEPS[step.type]
  const taken = workflow.transitions.filter(({ fromStepId }) => fromStepId === step.id)
  const setNextStep = async (branch: Branch, to: string) => {
    const before = taken.find((one) => one.branch === branch)
    if (before) await api.workflows.transitions.delete(workflow.id, before.id)
    if (to) {
      const transition = { fromStepId: step.id, toStepId: to, branch }
      const { error } = await api.workflows.transitions.create(workflow.id, transition)
      if (error) toast.failed(error)
    }
    onChanged()
  }
  if (others.length === 0 || branches.length === 0) return null
  return (
    <div className="space-y-3 border-t border-line pt-4">
      {branches.map((branch) => (
        <Select
          key={branch ?? 'next'}
          label={texts.branches.next(branch, branches)}
          value={taken.find((one) => one.branch === branch)?.toStepId ?? ''}
          options={{ '': T.none, ...Object.fromEntries(others.map((one) => [one.id, stepName(one)])) }}
          onChange={(event) => void setNextStep(branch, event.target.value)}
        />
      ))}
    </div>
  )
}
