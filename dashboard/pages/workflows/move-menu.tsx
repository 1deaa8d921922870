/** A menu that ends a wait early: of one execution, or of all that wait at a step. They continue as planned or elsewhere. */
import { FastForward } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { stepName } from './steps/registry.ts'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.moves

interface MoveMenuProps {
  label: string
  /** The step where the contacts wait. */
  stepId: string
  /** Only the published graph has steps to move to. */
  steps: Workflow['steps']
  onSkip(): void
  onMove(to: { id: string; name: string }): void
}

export function MoveMenu({ label, stepId, steps, onSkip, onMove }: MoveMenuProps) {
  const others = steps.filter(({ id }) => id !== stepId)
  const groups = [
    [{ label: T.skip, onSelect: onSkip }],
    others.map((step) => ({
      label: T.moveTo(stepName(step)),
      onSelect: () => onMove({ id: step.id, name: stepName(step) }),
    })),
  ].filter((entries) => entries.length > 0)
  return (
    <Menu
      groups={groups}
      trigger={
        <Button>
          <FastForward aria-hidden /> {label}
        </Button>
      }
    />
  )
}
