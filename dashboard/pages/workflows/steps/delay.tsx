/** DELAY: continues after a fixed time. */
import { Clock } from 'lucide-react'
import { formatDateTime, formatUnit, type TimeUnit } from '../../../figures/format.ts'
import { conditionTexts } from '../../../shell/texts.ts'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'

function DelayForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <div className="grid grid-cols-2 gap-3">
      <Input
        label="Duration"
        type="number"
        step="any"
        min={0}
        value={asText(config.amount)}
        error={fieldError(props.error, 'config.amount')}
        onChange={({ target }) => setConfig({ amount: target.value === '' ? undefined : Number(target.value) })}
      />
      <Select
        label="Unit"
        value={asText(config.unit)}
        options={conditionTexts.units}
        onChange={(event) => setConfig({ unit: event.target.value })}
      />
    </div>
  )
}

const TIME_UNITS: Record<string, TimeUnit> = { minutes: 'minute', hours: 'hour', days: 'day' }

export const delay: StepDefinition = {
  title: 'Delay',
  icon: Clock,
  defaultConfig: { amount: 1, unit: 'days' },
  summary: ({ amount, unit }) =>
    amount === undefined ? '' : formatUnit(Number(amount), TIME_UNITS[String(unit)] ?? 'day'),
  describeOutput: ({ until }) => (until ? `Waited until ${formatDateTime(new Date(String(until)))}` : ''),
  branches: [null],
  Form: DelayForm,
}
