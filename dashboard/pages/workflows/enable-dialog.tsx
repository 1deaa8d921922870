/** A workflow that starts when contacts enter a segment can also start for those who are in it now. */
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.enabling

export const startsWithSegment = ({ triggerType, triggerConfig }: Workflow): boolean =>
  triggerType === 'EVENT' && /^segment\..+\.entry$/.test(triggerConfig?.eventName ?? '')

interface EnableDialogProps {
  onClose(): void
  onEnable(includeCurrentMembers: boolean): void
}

export function EnableDialog({ onClose, onEnable }: EnableDialogProps) {
  const [choice, setChoice] = useState<'new' | 'all'>('new')
  return (
    <Dialog open onClose={onClose} title={T.title} lead={T.lead} disposable>
      <RadioCards<'new' | 'all'>
        name="members"
        legend={T.label}
        options={T.options}
        value={choice}
        onChange={setChoice}
      />
      <DialogActions>
        <Button onClick={onClose}>{T.cancel}</Button>
        <Button kind="primary" onClick={() => onEnable(choice === 'all')}>
          {T.enable}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
