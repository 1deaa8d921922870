/** Copies the content of a template into a campaign. */
import { Select } from '../../parts/field.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useTemplates } from '../templates/email-fields.tsx'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

type Content = Pick<Draft, 'subject' | 'body' | 'from' | 'fromName' | 'replyTo' | 'type' | 'templateId'>

interface TemplateSelectProps {
  templateId: string | null
  onTemplate(content: Content): void
}

export function TemplateSelect({ templateId, onTemplate }: TemplateSelectProps) {
  const toast = useToast()
  const templates = useTemplates()
  const copyTemplate = (id: string) => {
    const template = templates.find((one) => one.id === id)
    if (!template) return
    const { subject, body, from, type, fromName, replyTo } = template
    onTemplate({ subject, body, from, type, fromName: fromName ?? '', replyTo: replyTo ?? '', templateId: id })
    toast.done(texts.editor.templateCopied(template.name))
  }
  return (
    <Select
      label={texts.editor.template}
      value={templates.some(({ id }) => id === templateId) ? templateId! : ''}
      options={{ '': texts.editor.noTemplate, ...Object.fromEntries(templates.map(({ id, name }) => [id, name])) }}
      onChange={(event) => copyTemplate(event.target.value)}
    />
  )
}
