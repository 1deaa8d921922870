/** WAIT_FOR_EVENT: continues when an event occurs for the contact, or after a timeout. */
import { MailSearch } from 'lucide-react'
import { formatUnit, type TimeUnit } from '../../../figures/format.ts'
import { EventInput } from '../../../pickers/event-input.tsx'
import { fieldError, Input } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'

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
        label="Event"
        value={asText(config.eventName)}
        error={fieldError(props.error, 'config.eventName')}
        onChange={(eventName) => setConfig({ eventName })}
      />
      <Input
        label="Timeout in hours"
        type="number"
        step="any"
        min={0}
        placeholder="No timeout"
        hint={timeout ? `Takes the “No” branch after ${formatTimeout(timeout)}.` : 'Waits until the event occurs.'}
        value={timeout === undefined ? '' : timeout / HOUR_SECONDS}
        error={fieldError(props.error, 'config.timeout')}
        onChange={(event) => setHours(event.target.value)}
      />
    </>
  )
}

export const waitForEvent: StepDefinition = {
  title: 'Wait for an event',
  icon: MailSearch,
  defaultConfig: { eventName: '', timeout: 7 * DAY_SECONDS },
  summary: ({ eventName, timeout }) =>
    timeout ? `${eventName}, up to ${formatTimeout(Number(timeout))}` : `${eventName}`,
  describeOutput: ({ event, timedOut }) =>
    event ? `Received ${event}` : timedOut ? 'Timed out, took the “No” branch' : '',
  branches: [null, 'yes', 'no'],
  when: { yes: 'when the event occurs', no: 'after the timeout' },
  Form: WaitForEventForm,
}
