/** The name of the event that counts as a conversion: one of those that were tracked, or one that will be. */
import { EventInput } from '../../../pickers/event-input.tsx'
import { experimentTexts } from './texts.ts'

interface ConversionEventProps {
  value: string
  error: string | undefined
  onChange(name: string): void
}

export const ConversionEvent = (props: ConversionEventProps) => (
  <div className="max-w-sm">
    <EventInput label={experimentTexts.setup.conversionEvent} {...props} />
  </div>
)
