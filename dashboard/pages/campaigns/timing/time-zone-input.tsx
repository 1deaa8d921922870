/** The name of a time zone, with all names that the browser knows as suggestions. */
import { Combobox } from '../../../pickers/combobox.tsx'

const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone }))

interface TimeZoneInputProps {
  label: string
  value: string
  error: string | undefined
  onChange(zone: string): void
}

export const TimeZoneInput = ({ onChange, ...field }: TimeZoneInputProps) => (
  <Combobox free required {...field} choices={ZONES} onChoose={onChange} />
)
