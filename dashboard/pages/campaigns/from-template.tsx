/** A template to start a campaign from: what it says is copied. */
import { Select } from '../../parts/field.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useTemplates } from '../templates/letter.tsx'
import type { Draft } from './draft.ts'

type Content = Pick<Draft, 'subject' | 'body' | 'from' | 'fromName' | 'replyTo' | 'type' | 'templateId'>

interface FromTemplateProps {
  templateId: string | null
  onTemplate(content: Content): void
}

export function FromTemplate({ templateId, onTemplate }: FromTemplateProps) {
  const toast = useToast()
  const templates = useTemplates()
  const starts = (id: string) => {
    const template = templates.find((one) => one.id === id)
    if (!template) return
    const { subject, body, from, type, fromName, replyTo } = template
    onTemplate({ subject, body, from, type, fromName: fromName ?? '', replyTo: replyTo ?? '', templateId: id })
    toast.done(`Copied from ${template.name}.`)
  }
  return (
    <Select
      label="Start from a template"
      value={templates.some(({ id }) => id === templateId) ? templateId! : ''}
      options={{ '': 'None', ...Object.fromEntries(templates.map(({ id, name }) => [id, name])) }}
      onChange={(event) => starts(event.target.value)}
    />
  )
}
