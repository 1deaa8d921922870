/** What a contact chose to receive. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Card } from '../../../shell/page.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'

export function ContactTopics({ contactId, subscribed }: { contactId: string; subscribed: boolean }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const queryKey = [projectId, 'contacts', contactId, 'topics']
  const { data } = useQuery({ queryKey, queryFn: async () => (await unwrap(api.contacts.topics(contactId))).data })
  const changeTopic = async (key: string, isChosen: boolean) => {
    const saved = await run(api.contacts.setTopics(contactId, { [key]: isChosen }))
    if (saved) queries.setQueryData(queryKey, saved.data.data)
  }
  if (!data || data.length === 0) return null
  return (
    <Card title={texts.topics.title}>
      {!subscribed && <p className="mb-3 text-sm text-soft">{texts.topics.notSubscribed}</p>}
      <ul className="space-y-2.5">
        {data.map((topic) => (
          <li key={topic.key}>
            <Checkbox
              label={topic.name}
              checked={topic.subscribed}
              disabled={busy}
              onChange={(event) => void changeTopic(topic.key, event.target.checked)}
            />
          </li>
        ))}
      </ul>
      {problem && <Problem error={problem} />}
    </Card>
  )
}
