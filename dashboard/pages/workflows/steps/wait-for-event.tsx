/** WAIT_FOR_EVENT: continues when the contact has an event, or after a timeout. */
import { MailSearch } from 'lucide-react'
import { fieldError, Input } from '../../../parts/field.tsx'
import { formatCount } from '../../../parts/format.ts'
import { asText, configSetter, EventInput } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'

const UNIT_SECONDS = { days: 86_400, hours: 3_600, minutes: 60 } as const

function duration(seconds: number): string {
  const [unit, size] = Object.entries(UNIT_SECONDS).find(([, size]) => seconds % size === 0) ?? ['seconds', 1]
  const amount = seconds / size
  return formatCount(amount, { one: unit.slice(0, -1), other: unit })
}

function WaitForEventForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  const timeout = typeof config.timeout === 'number' ? config.timeout : undefined
  const setHours = (hours: string) =>
    setConfig({ timeout: hours === '' ? null : Math.round(Number(hours) * UNIT_SECONDS.hours) })
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
        hint={timeout ? `Takes the “No” branch after ${duration(timeout)}.` : 'No timeout.'}
        value={timeout === undefined ? '' : timeout / UNIT_SECONDS.hours}
        error={fieldError(props.error, 'config.timeout')}
        onChange={(event) => setHours(event.target.value)}
      />
    </>
  )
}

export const waitForEvent: StepDefinition = {
  title: 'Wait for an event',
  icon: MailSearch,
  defaultConfig: { eventName: '', timeout: 7 * UNIT_SECONDS.days },
  summary: ({ eventName, timeout }) => (timeout ? `${eventName}, up to ${duration(Number(timeout))}` : `${eventName}`),
  branches: [null, 'yes', 'no'],
  Form: WaitForEventForm,
}
