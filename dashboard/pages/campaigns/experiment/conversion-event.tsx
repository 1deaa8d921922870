/** The name of the event that counts as a conversion: one of those that were tracked, or one that will be. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { Input } from '../../../ui/field.tsx'
import { experimentTexts } from './texts.ts'

interface ConversionEventProps {
  value: string
  error: string | undefined
  onChange(name: string): void
}

export function ConversionEvent({ value, error, onChange }: ConversionEventProps) {
  const { projectId, api } = useApi()
  const list = useId()
  const { data: names } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  return (
    <div className="max-w-sm">
      <Input
        label={experimentTexts.setup.conversionEvent}
        list={list}
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {names?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  )
}
