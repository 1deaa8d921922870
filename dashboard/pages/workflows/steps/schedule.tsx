/** Weekdays, hours and time zones in the forms of steps. */
import type { PosthornError } from '../../../data/api.ts'
import { Combobox } from '../../../pickers/combobox.tsx'
import { Checkbox, fieldError, Input } from '../../../ui/field.tsx'
import { asText } from './fields.tsx'
import type { Config } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.schedule

/** The zones that the browser knows, after that of the contact. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

interface ZoneProps {
  value: unknown
  error: string | undefined
  onChange(zone: string): void
}

export function ZoneSelect({ value, error, onChange }: ZoneProps) {
  const zone = asText(value)
  const known = zone === '' || zone === 'contact' || ZONES.includes(zone) ? ZONES : [zone, ...ZONES]
  return (
    <Combobox
      label={T.timezone}
      hint={zone === 'contact' ? T.contactZone : undefined}
      value={zone}
      error={error}
      choices={[
        { value: 'contact', label: T.zoneOfContact },
        ...known.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
      ]}
      onChoose={onChange}
    />
  )
}

const DAYS = [1, 2, 3, 4, 5, 6, 7]

export const dayOptions = (): Record<string, string> => Object.fromEntries(DAYS.map((day) => [day, T.days[day - 1]!]))

interface WindowProps {
  window: Config
  error: PosthornError | null
  onChange(changes: Config): void
}

export function WindowFields({ window, error, onChange }: WindowProps) {
  const days = Array.isArray(window.days) ? (window.days as number[]) : []
  const toggle = (day: number) =>
    onChange({ days: days.includes(day) ? days.filter((other) => other !== day) : [...days, day].sort() })
  const problem = fieldError(error, 'config.window.days')
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{T.weekdays}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {DAYS.map((day) => (
            <Checkbox key={day} label={T.days[day - 1]} checked={days.includes(day)} onChange={() => toggle(day)} />
          ))}
        </div>
        {problem && <p className="mt-1.5 text-[0.8125rem] text-bad">{problem}</p>}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        {(['from', 'to'] as const).map((side) => (
          <Input
            key={side}
            label={T[side]}
            type="time"
            value={asText(window[side])}
            error={fieldError(error, `config.window.${side}`)}
            onChange={(event) => onChange({ [side]: event.target.value })}
          />
        ))}
      </div>
      <ZoneSelect
        value={window.timezone}
        error={fieldError(error, 'config.window.timezone')}
        onChange={(timezone) => onChange({ timezone })}
      />
    </>
  )
}
