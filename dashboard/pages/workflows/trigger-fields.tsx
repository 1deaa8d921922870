/** What starts a workflow, in its settings and beside its graph. */
import type { PosthornError } from '../../api.ts'
import { Checkbox, fieldError, Select } from '../../parts/field.tsx'
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

export const TriggerFields = ({ trigger, error, onChange }: TriggerFieldsProps) => (
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
        value={trigger.eventName}
        error={fieldError(error, 'eventName')}
        onChange={(eventName) => onChange({ eventName })}
      />
    )}
    <Checkbox
      label={T.allowReentry}
      checked={trigger.allowReentry}
      onChange={(event) => onChange({ allowReentry: event.target.checked })}
    />
  </>
)
