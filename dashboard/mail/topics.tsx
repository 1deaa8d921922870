/** The topics of the project, and the choice of one for an email. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { topicTexts } from '../shell/texts.ts'
import { Select } from '../ui/field.tsx'

export function useTopicList() {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'topics'],
    queryFn: () => unwrap(api.topics.list({ limit: 100 })),
  })
}

export const useTopics = () => useTopicList().data?.data ?? []

interface TopicSelectProps {
  topicId: string | null
  onChange(topicId: string | null): void
  error: string | undefined
}

export function TopicSelect({ topicId, onChange, error }: TopicSelectProps) {
  const topics = useTopics()
  if (topics.length === 0 && topicId === null) return null
  // In the order of the list: an object would sort keys that are numbers first, and IDs never are.
  const options = { '': topicTexts.none, ...Object.fromEntries(topics.map(({ id, name }) => [id, name])) }
  return (
    <Select
      label={topicTexts.label}
      hint={topicTexts.hint}
      error={error}
      value={topicId ?? ''}
      options={options}
      onChange={(event) => onChange(event.target.value || null)}
    />
  )
}
