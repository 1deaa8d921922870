/** Asks what happens to the contacts at steps that are removed. Nothing happens to them until the draft is published. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import type { StepCounts } from '../graph/nodes.tsx'
import { inBranchOrder, stepName } from '../steps/registry.ts'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import type { DraftGraph, DraftStep } from './graph-edits.ts'

const T = texts.removal

/** Where contacts at a removed step continue; its first branch counts. */
function nextStep(id: string, { steps, transitions }: Pick<Workflow, 'steps' | 'transitions'>, left: DraftStep[]) {
  const seen = new Set<string>()
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
    const step = left.find((one) => one.id === at)
    if (step) return step
    seen.add(at)
    at = inBranchOrder(
      transitions.filter(({ fromStepId }) => fromStepId === at),
      steps,
    )[0]?.toStepId
  }
  return undefined
}

/** The branch that contacts at a step with several take. */
function branchTaken(id: string, { steps, transitions }: Pick<Workflow, 'steps' | 'transitions'>): string | undefined {
  const [first, second] = inBranchOrder(
    transitions.filter(({ fromStepId }) => fromStepId === id),
    steps,
  )
  return first?.branch && second ? texts.branches.name(first.branch) : undefined
}

interface RemoveDialogProps {
  steps: DraftStep[]
  counts: ReadonlyMap<string, Pick<StepCounts, 'active'>>
  /** Contacts follow its transitions, and not those of the draft. */
  published: Pick<Workflow, 'steps' | 'transitions'>
  /** The steps of the draft. */
  left: DraftStep[]
  onClose(): void
  onRemove(executions: DraftGraph['executions']): void
}

export function RemoveDialog({ steps, counts, published, left, onClose, onRemove }: RemoveDialogProps) {
  const occupied = steps.filter(({ id }) => (counts.get(id)?.active ?? 0) > 0)
  const contacts = occupied.reduce((sum, { id }) => sum + (counts.get(id)?.active ?? 0), 0)
  const [choice, setChoice] = useState<'move' | 'cancel'>('move')
  const only = occupied.length === 1 ? occupied[0] : undefined
  const next =
    only &&
    nextStep(
      only.id,
      published,
      left.filter((step) => !steps.includes(step)),
    )
  const options = {
    move: only ? T.moveTo(next && stepName(next), branchTaken(only.id, published)) : T.move,
    cancel: T.cancel,
  }
  return (
    <Dialog
      open
      disposable
      onClose={onClose}
      title={T.title(steps.length === 1 ? stepName(steps[0]!) : undefined, steps.length)}
    >
      <p className="mb-3 text-sm text-soft">{T.lead(contacts, occupied.length)}</p>
      <RadioCards<typeof choice>
        legend={T.choice}
        hideLegend
        name="executions"
        value={choice}
        options={options}
        onChange={setChoice}
      />
      <DialogActions>
        <Button onClick={onClose}>{T.keep(steps.length)}</Button>
        <Button kind="danger" onClick={() => onRemove(Object.fromEntries(steps.map(({ id }) => [id, choice])))}>
          {T.remove(steps.length)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
