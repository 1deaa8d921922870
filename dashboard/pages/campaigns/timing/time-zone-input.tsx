/** The name of a time zone, with all names that the browser knows as suggestions. */
import { useId } from 'react'
import { Input } from '../../../ui/field.tsx'

const ZONES: string[] = Intl.supportedValuesOf('timeZone')

interface TimeZoneInputProps {
  label: string
  value: string
  error: string | undefined
  onChange(zone: string): void
}

export function TimeZoneInput({ label, value, error, onChange }: TimeZoneInputProps) {
  const zones = useId()
  return (
    <div className="min-w-0">
      <Input
        label={label}
        required
        list={zones}
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={zones}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  )
}
