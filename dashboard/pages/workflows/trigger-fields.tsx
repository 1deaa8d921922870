/** What starts a workflow, in its settings and beside its graph. */
import { useQuery } from '@tanstack/react-query'
import { type PosthornError, unwrap } from '../../data/api.ts'
import { labelOf } from '../../data/errors.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { EventInput } from '../../pickers/event-input.tsx'
import { fieldError, NumberInput, Select } from '../../ui/field.tsx'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.settings
const DAYS_DEFAULT = 30

interface Trigger {
  triggerType: Workflow['triggerType']
  eventName: string
  reentryMode: Workflow['reentry']['mode']
  reentryDays: number | undefined
  goalEvent: string
}

export const triggerOf = ({ triggerType, triggerConfig, reentry, goal }: Workflow): Trigger => ({
  triggerType,
  eventName: triggerConfig?.eventName ?? '',
  reentryMode: reentry.mode,
  reentryDays: reentry.days ?? DAYS_DEFAULT,
  goalEvent: goal?.eventName ?? '',
})

/** The fields of a request that changes the trigger. */
export const triggerChanges = ({ triggerType, eventName, reentryMode, reentryDays, goalEvent }: Trigger) => ({
  triggerType,
  eventName: eventName.trim() || null,
  reentry: { mode: reentryMode, days: reentryMode === 'interval' ? (reentryDays ?? null) : null },
  goal: goalEvent.trim() ? { eventName: goalEvent.trim() } : null,
})

/** The label of a field, where two people changed it. */
export const settingLabel = (field: string): string => SETTING_LABELS[field] ?? labelOf(field)

const SETTING_LABELS: Record<string, string> = {
  reentryMode: T.reentry,
  reentryDays: T.reentryDays,
  goalEvent: T.goal,
}

/** The fields that show their own error. */
export const TRIGGER_FIELDS = ['eventName', 'reentry.mode', 'reentry.days', 'goal.eventName']

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
      <Select
        label={T.reentry}
        hint={T.reentryHints[trigger.reentryMode]}
        value={trigger.reentryMode}
        options={T.reentryModes}
        error={fieldError(error, 'reentry.mode')}
        onChange={(event) => onChange({ reentryMode: event.target.value as Trigger['reentryMode'] })}
      />
      {trigger.reentryMode === 'interval' && (
        <NumberInput
          label={T.reentryDays}
          min={1}
          step={1}
          value={trigger.reentryDays}
          error={fieldError(error, 'reentry.days')}
          onChange={(reentryDays) => onChange({ reentryDays })}
        />
      )}
      <EventInput
        label={T.goal}
        hint={T.goalHint}
        value={trigger.goalEvent}
        error={fieldError(error, 'goal.eventName')}
        onChange={(goalEvent) => onChange({ goalEvent })}
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
