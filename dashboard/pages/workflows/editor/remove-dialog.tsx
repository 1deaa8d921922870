/** Asks what happens to the contacts at steps that are removed. Nothing happens to them until the draft is published. */
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import type { StepCounts } from '../graph-nodes.tsx'
import { stepName } from '../steps/registry.ts'
import { texts } from '../texts.ts'
import type { DraftGraph, DraftStep } from './graph-edits.ts'

const T = texts.removal

interface RemoveDialogProps {
  steps: DraftStep[]
  counts: ReadonlyMap<string, Pick<StepCounts, 'active'>>
  onClose(): void
  onRemove(executions: DraftGraph['executions']): void
}

export function RemoveDialog({ steps, counts, onClose, onRemove }: RemoveDialogProps) {
  const occupied = steps.filter(({ id }) => (counts.get(id)?.active ?? 0) > 0)
  const contacts = occupied.reduce((sum, { id }) => sum + (counts.get(id)?.active ?? 0), 0)
  const [choice, setChoice] = useState<'move' | 'cancel'>('move')
  const name = occupied.length === 1 ? stepName(occupied[0]!) : undefined
  return (
    <Dialog open disposable onClose={onClose} title={T.title(contacts, occupied.length)}>
      <fieldset className="space-y-2 text-sm">
        <legend className="mb-3 text-soft">{T.lead(name)}</legend>
        {(['move', 'cancel'] as const).map((option) => (
          <label
            key={option}
            className="flex cursor-pointer items-start gap-3 rounded-part border border-line p-3 has-checked:border-accent has-checked:bg-accent-wash"
          >
            <input
              type="radio"
              name="executions"
              checked={choice === option}
              onChange={() => setChoice(option)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{T[option].title}</span>
              <span className="block text-soft">{T[option].effect}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>{T.keep(steps.length)}</Button>
        <Button kind="danger" onClick={() => onRemove(Object.fromEntries(steps.map(({ id }) => [id, choice])))}>
          {T.remove(steps.length)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
