/** One step beside the graph: a new one before it is added, or one that is there; with where it leads. */
import { Trash2, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { PosthornError } from '../../api.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { fieldError, Input, Select } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import type { Point } from './layout.ts'
import { type StepDraft, StepFields } from './step-fields.tsx'
import {
  type Branch,
  type End,
  KINDS,
  openEnds,
  type Step,
  type StepType,
  stepName,
  type Workflow,
  waysOut,
} from './steps.ts'

interface PanelProps {
  workflow: Workflow
  onClose(): void
  /** Something is different now. */
  onChanged(): void
}

const saved = ({ name, config, templateId }: StepDraft) => ({
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

/** Beside the graph there is always room; below it, the form comes into sight by itself. */
const BELOW_THE_GRAPH = '(width < 80rem)'

function StepForm({ workflow, label, title, draft, set, error, onSubmit, onClose, children }: FormProps) {
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
        <IconButton label="Close the step" className="-mr-2" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className="space-y-4">
        <StepFields draft={draft} error={error} event={workflow.triggerConfig?.eventName ?? null} set={set} />
        <Input
          label="Name"
          placeholder={KINDS[draft.type].words}
          value={draft.name}
          error={fieldError(error, 'name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        {children}
      </div>
    </form>
  )
}

const endKey = ({ stepId, branch }: Pick<End, 'stepId' | 'branch'>) => `${stepId} ${branch ?? ''}`

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
  const [draft, setDraft] = useState<StepDraft>({ type, name: '', config: KINDS[type].config(), templateId: null })
  const ends = openEnds(workflow)
  const [end, setEnd] = useState(() => endKey(ends.find(({ stepId }) => stepId === after) ?? ends.at(-1) ?? NOWHERE))
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    const step = { type, ...saved(draft), ...(at ? { position: at } : {}) }
    const done = await run(api.workflows.steps.create(workflow.id, step))
    if (!done) return
    const from = ends.find((one) => endKey(one) === end)
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
      label="New step"
      title={`New step: ${KINDS[type].words}`}
      draft={draft}
      set={(changes) => setDraft((now) => ({ ...now, ...changes }))}
      error={error}
      onSubmit={adds}
      onClose={onClose}
    >
      {workflow.steps.length > 0 && (
        <Select
          label="Comes after"
          value={end}
          options={{
            ...Object.fromEntries(ends.map((one) => [endKey(one), one.words])),
            [endKey(NOWHERE)]: 'Nothing yet',
          }}
          onChange={(event) => setEnd(event.target.value)}
        />
      )}
      {problem && <Problem error={problem} />}
      <Button kind="primary" type="submit" busy={busy}>
        Add the step
      </Button>
    </StepForm>
  )
}

const NOWHERE = { stepId: '', branch: null }

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
  const saves = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.workflows.steps.update(workflow.id, step.id, saved(draft))))) return
    toast.done('Step saved.')
    onChanged()
  }
  const removes = async () => {
    const { error } = await api.workflows.steps.delete(workflow.id, step.id, { splice: true })
    if (error) return toast.failed(error)
    onClose()
    onChanged()
  }
  return (
    <StepForm
      workflow={workflow}
      label="Step"
      title={stepName(step)}
      draft={draft}
      set={(changes) => setDraft((now) => ({ ...now, ...changes }))}
      error={error}
      onSubmit={saves}
      onClose={onClose}
    >
      {problem && <Problem error={problem} />}
      <div className="flex justify-between gap-2">
        <Button kind="danger" onClick={() => void removes()}>
          <Trash2 aria-hidden /> Remove
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          Save step
        </Button>
      </div>
      <Ways workflow={workflow} step={step} onChanged={onChanged} />
    </StepForm>
  )
}

const WAY_WORDS = { yes: 'If yes, goes on to', no: 'If no, goes on to' }

/** Where the step leads, for those who would rather choose than draw. */
function Ways({ workflow, step, onChanged }: Pick<PanelProps, 'workflow' | 'onChanged'> & { step: Step }) {
  const { api } = useApi()
  const toast = useToast()
  const others = workflow.steps.filter(({ id }) => id !== step.id)
  const taken = workflow.transitions.filter(({ fromStepId }) => fromStepId === step.id)
  const leads = async (branch: Branch, to: string) => {
    const before = taken.find((one) => one.branch === branch)
    if (before) await api.workflows.transitions.delete(workflow.id, before.id)
    if (to) {
      const way = { fromStepId: step.id, toStepId: to, branch }
      const { error } = await api.workflows.transitions.create(workflow.id, way)
      if (error) toast.failed(error)
    }
    onChanged()
  }
  if (others.length === 0 || waysOut(step.type).length === 0) return null
  return (
    <div className="space-y-3 border-t border-line pt-4">
      {waysOut(step.type).map((branch) => (
        <Select
          key={branch ?? 'next'}
          label={branch ? WAY_WORDS[branch] : step.type === 'WAIT_FOR_EVENT' ? 'Either way, goes on to' : 'Goes on to'}
          value={taken.find((one) => one.branch === branch)?.toStepId ?? ''}
          options={{ '': 'Nothing', ...Object.fromEntries(others.map((one) => [one.id, stepName(one)])) }}
          onChange={(event) => void leads(branch, event.target.value)}
        />
      ))}
    </div>
  )
}
