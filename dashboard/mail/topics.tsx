/** The topics of the project, and the choice of one for an email. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Picker } from '../pickers/picker.tsx'
import { topicTexts } from '../shell/texts.ts'

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
  return (
    <Picker
      kind="topic"
      label={topicTexts.label}
      hint={topicTexts.hint}
      error={error}
      value={topicId ?? ''}
      choices={[{ value: '', label: topicTexts.none }, ...topics.map(({ id, name }) => ({ value: id, label: name }))]}
      onChoose={(id) => onChange(id || null)}
    />
  )
}
