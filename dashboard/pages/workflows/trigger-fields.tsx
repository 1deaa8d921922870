/** What starts a workflow, in its settings and beside its graph. */
import { useQuery } from '@tanstack/react-query'
import { type PosthornError, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { Checkbox, fieldError, Select } from '../../ui/field.tsx'
import { EventInput } from './steps/fields.tsx'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.settings

interface Trigger {
  triggerType: Workflow['triggerType']
  eventName: string
  allowReentry: boolean
}

export const triggerOf = ({ triggerType, triggerConfig, allowReentry }: Workflow): Trigger => ({
  triggerType,
  eventName: triggerConfig?.eventName ?? '',
  allowReentry,
})

interface TriggerFieldsProps {
  trigger: Trigger
  error: PosthornError | null | undefined
  onChange(change: Partial<Trigger>): void
}

export function TriggerFields({ trigger, error, onChange }: TriggerFieldsProps) {
  const recorded = useRecorded(trigger.eventName)
  return (
    <>
      <Select
        label={T.trigger}
        hint={T.triggerChange}
        value={trigger.triggerType}
        options={T.triggers}
        onChange={(event) => onChange({ triggerType: event.target.value as Workflow['triggerType'] })}
      />
      {trigger.triggerType === 'EVENT' && (
        <EventInput
          label={texts.event}
          hint={recorded}
          value={trigger.eventName}
          error={fieldError(error, 'eventName')}
          onChange={(eventName) => onChange({ eventName })}
        />
      )}
      <Checkbox
        label={T.allowReentry}
        hint={T.allowReentryHint}
        checked={trigger.allowReentry}
        onChange={(event) => onChange({ allowReentry: event.target.checked })}
      />
    </>
  )
}

const DEBOUNCE_MS = 350
/** Keeps the height of the line. */
const NOTHING_YET = '\u00a0'

/** How often the event was recorded, to confirm its name. */
function useRecorded(typed: string): string {
  const { projectId, api } = useApi()
  const name = useDebounced(typed.trim(), DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: [projectId, 'events', name, 'usage'],
    queryFn: () => unwrap(api.events.usage(name)),
    enabled: name !== '',
  })
  if (!data || name !== typed.trim()) return NOTHING_YET
  return data.totalCount > 0 ? T.recorded(data.totalCount, data.uniqueContacts) : T.notRecorded
}
