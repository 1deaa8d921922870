/** WAIT_FOR_EVENT: continues when an event occurs for the contact, or after a timeout. */
import { MailSearch } from 'lucide-react'
import { formatUnit, type TimeUnit } from '../../../figures/format.ts'
import { EventInput } from '../../../pickers/event-input.tsx'
import { fieldError, Input } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.waitForEvent

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

const TIME_UNITS: [TimeUnit, number][] = [
  ['day', DAY_SECONDS],
  ['hour', HOUR_SECONDS],
  ['minute', 60],
  ['second', 1],
]

/** In the largest unit that needs no fraction: "7 days", "90 seconds". */
function formatTimeout(seconds: number): string {
  const [unit, size] = TIME_UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return formatUnit(seconds / size, unit)
}

function WaitForEventForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  const timeout = typeof config.timeout === 'number' ? config.timeout : undefined
  const setHours = (hours: string) =>
    setConfig({ timeout: hours === '' ? null : Math.round(Number(hours) * HOUR_SECONDS) })
  return (
    <>
      <EventInput
        label={T.event}
        value={asText(config.eventName)}
        error={fieldError(props.error, 'config.eventName')}
        onChange={(eventName) => setConfig({ eventName })}
      />
      <Input
        label={T.timeout}
        type="number"
        step="any"
        min={0}
        placeholder={T.noTimeout}
        hint={timeout ? T.takesNo(formatTimeout(timeout)) : T.waits}
        value={timeout === undefined ? '' : timeout / HOUR_SECONDS}
        error={fieldError(props.error, 'config.timeout')}
        onChange={(event) => setHours(event.target.value)}
      />
    </>
  )
}

export const waitForEvent: StepDefinition = {
  title: T.title,
  icon: MailSearch,
  defaultConfig: { eventName: '', timeout: 7 * DAY_SECONDS },
  summary: ({ eventName, timeout }) =>
    timeout ? T.upTo(String(eventName), formatTimeout(Number(timeout))) : `${eventName}`,
  describeOutput: ({ event, timedOut }) => (event ? T.received(String(event)) : timedOut ? T.timedOut : ''),
  branches: [null, 'yes', 'no'],
  when: T.when,
  Form: WaitForEventForm,
}
