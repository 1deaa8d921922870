/** What starts a workflow, in its settings and beside its graph. */
import { useQuery } from '@tanstack/react-query'
import { type PosthornError, unwrap } from '../../api.ts'
import { Checkbox, fieldError, Select } from '../../parts/field.tsx'
import { useApi } from '../../project.ts'
import { useDebounced } from '../../use-debounced.ts'
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
        hint={<Tracked name={trigger.eventName} />}
        value={trigger.eventName}
        error={fieldError(error, 'eventName')}
        onChange={(eventName) => onChange({ eventName })}
      />
    )}
    <Checkbox
      label={
        <>
          {T.allowReentry}
          <span className="mt-0.5 block text-[0.8125rem] text-soft">{T.allowReentryHint}</span>
        </>
      }
      checked={trigger.allowReentry}
      onChange={(event) => onChange({ allowReentry: event.target.checked })}
    />
  </>
)

const DEBOUNCE_MS = 350

/** Shows that the name is the right one: how often the event was tracked. */
function Tracked({ name: typed }: { name: string }) {
  const { projectId, api } = useApi()
  const name = useDebounced(typed.trim(), DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: [projectId, 'events', 'usage', name],
    queryFn: () => unwrap(api.events.usage(name)),
    enabled: name !== '',
  })
  if (!data || name !== typed.trim()) return null
  return data.totalCount > 0 ? T.tracked(data.totalCount, data.uniqueContacts) : T.notTracked
}
