/** The name of an event: one that occurred before, or another one that is typed. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Picker } from './picker.tsx'

interface EventInputProps {
  label: string
  hint?: string | undefined
  value: string
  error?: string | undefined
  onChange(name: string): void
}

export function EventInput({ onChange, ...rest }: EventInputProps) {
  const { projectId, api } = useApi()
  const { data: names = [] } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  return (
    <Picker
      {...rest}
      kind="event"
      free
      placeholder="signed-up"
      maxLength={255}
      choices={names.map((name) => ({ value: name, label: name }))}
      onChoose={onChange}
    />
  )
}
