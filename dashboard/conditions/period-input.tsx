/** An amount of time with its unit, and the choice between any time and a period. */

import { NumberInput, Select } from '../ui/field.tsx'
import type { Period, Unit } from './condition.ts'
import { conditionTexts } from './texts.ts'

interface AmountProps {
  value: number | undefined
  unit: Unit | undefined
  onChange(value: number | undefined, unit: Unit): void
}

export const Amount = ({ value, unit = 'days', onChange }: AmountProps) => (
  <div className="flex min-w-40 flex-1 gap-2">
    <div className="w-20">
      <NumberInput label={conditionTexts.value} hideLabel value={value} onChange={(next) => onChange(next, unit)} />
    </div>
    <div className="flex-1">
      <Select
        label={conditionTexts.unit}
        hideLabel
        value={unit}
        options={conditionTexts.units}
        onChange={(event) => onChange(value, event.target.value as Unit)}
      />
    </div>
  </div>
)

interface PeriodProps {
  period: Period | undefined
  onChange(period: Period | undefined): void
}

const START: Period = { value: 30, unit: 'days' }

export const PeriodInput = ({ period, onChange }: PeriodProps) => (
  <>
    <div className="min-w-32 flex-1">
      <Select
        label={conditionTexts.period}
        hideLabel
        value={period ? 'within' : 'always'}
        options={conditionTexts.periods}
        onChange={(event) => onChange(event.target.value === 'within' ? START : undefined)}
      />
    </div>
    {period && (
      <Amount
        value={Number.isNaN(period.value) ? undefined : period.value}
        unit={period.unit}
        onChange={(value, unit) => onChange({ value: value ?? Number.NaN, unit })}
      />
    )}
  </>
)
