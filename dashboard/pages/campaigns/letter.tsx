/** Name, subject and sender of a campaign; and a template to start from. */
import { useQuery } from '@tanstack/react-query'
import { type PosthornError, unwrap } from '../../api.ts'
import { Input, Select, wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { TYPES } from '../templates/draft.ts'
import type { Draft } from './draft.ts'

type Content = Pick<Draft, 'subject' | 'body' | 'from' | 'fromName' | 'replyTo' | 'type' | 'templateId'>

interface LetterProps {
  draft: Draft
  set(changes: Partial<Draft>): void
  error: PosthornError | null
  onTemplate(content: Content): void
}

const TEMPLATES_MAX = 100

export function LetterFields({ draft, set, error, onTemplate }: LetterProps) {
  const input = (label: string, name: 'name' | 'subject' | 'from' | 'fromName' | 'replyTo', more = {}) => (
    <Input
      label={label}
      value={draft[name]}
      wrong={wrongAt(error, name)}
      onChange={(event) => set({ [name]: event.target.value })}
      {...more}
    />
  )
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-6">
        <div className="sm:col-span-4">{input('Name', 'name', { placeholder: 'Only you see it' })}</div>
        <div className="sm:col-span-2">
          <Select
            label="Type"
            value={draft.type}
            options={TYPES}
            onChange={(event) => set({ type: event.target.value as Draft['type'] })}
          />
        </div>
        <div className="sm:col-span-4">{input('Subject', 'subject')}</div>
        <div className="sm:col-span-2">
          <FromTemplate draft={draft} onTemplate={onTemplate} />
        </div>
        <div className="sm:col-span-2">
          {input('From', 'from', { type: 'email', placeholder: 'hello@your-domain.com' })}
        </div>
        <div className="sm:col-span-2">{input("Sender's name", 'fromName')}</div>
        <div className="sm:col-span-2">
          {input('Reply to', 'replyTo', { type: 'email', placeholder: 'The sender' })}
        </div>
      </div>
    </Card>
  )
}

function FromTemplate({ draft, onTemplate }: Pick<LetterProps, 'draft' | 'onTemplate'>) {
  const { projectId, api } = useApi()
  const toast = useToast()
  const { data } = useQuery({
    queryKey: [projectId, 'templates', 'to-start-from'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: TEMPLATES_MAX, sort: 'updatedAt' }))).data,
  })
  const starts = (id: string) => {
    const template = data?.find((one) => one.id === id)
    if (!template) return
    const { subject, body, from, type, fromName, replyTo } = template
    onTemplate({ subject, body, from, type, fromName: fromName ?? '', replyTo: replyTo ?? '', templateId: id })
    toast.done(`Copied from ${template.name}.`)
  }
  return (
    <Select
      label="Start from a template"
      value={data?.some(({ id }) => id === draft.templateId) ? draft.templateId! : ''}
      options={{ '': 'None', ...Object.fromEntries((data ?? []).map(({ id, name }) => [id, name])) }}
      onChange={(event) => starts(event.target.value)}
    />
  )
}
