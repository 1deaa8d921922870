/** The round button with a plus that adds a step at one place of the graph. Step types can also be dropped on it. */
import { Plus } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { Menu } from '../../../ui/menu.tsx'
import { canContinue, STEP_TYPES, STEPS } from '../steps/registry.ts'
import type { StepType } from '../steps/step.ts'
import type { Place } from './graph-edits.ts'

interface AddStepMenuProps {
  label: string
  place: Place
  /** Steps follow, so a step type that nothing can follow is left out. */
  isBetween?: boolean
  onAdd(type: StepType): void
}

export function AddStepMenu({ label, place, isBetween = false, onAdd }: AddStepMenuProps) {
  const types = STEP_TYPES.filter((type) => !isBetween || canContinue(type))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: events in the menu must not reach the step or connection that the button belongs to, which would be selected.
    <div onClick={stopPropagation} onKeyDown={stopPropagation}>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={label}
            title={label}
            data-place={JSON.stringify(place)}
            className="nodrag nopan pointer-events-auto flex size-7 items-center justify-center rounded-full border border-line-strong bg-card text-soft shadow-lift transition-colors hover:border-accent hover:bg-accent hover:text-on-accent data-[state=open]:border-accent data-[state=open]:bg-accent data-[state=open]:text-on-accent max-sm:size-9"
          >
            <Plus className="size-4" aria-hidden />
          </button>
        }
        groups={[
          types.map((type) => {
            const { title, icon: Icon } = STEPS[type]
            return {
              label: (
                <>
                  <Icon className="text-accent" aria-hidden /> {title}
                </>
              ),
              onSelect: () => onAdd(type),
            }
          }),
        ]}
      />
    </div>
  )
}

const stopPropagation = (event: SyntheticEvent) => event.stopPropagation()
