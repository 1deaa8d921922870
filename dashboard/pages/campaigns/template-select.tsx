/** Copies the content of a template into a campaign. It asks before content is replaced, and can be undone. */
import { useEffect, useRef, useState } from 'react'
import { useProject } from '../../data/project.ts'
import { type Content, isSameContent, starterContent } from '../../editor/document/content.ts'
import { useNameField } from '../../editor/text/variables.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { draftOf } from '../templates/draft.ts'
import { useTemplates } from '../templates/email-fields.tsx'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

/** Everything that a template replaces. */
export type Replacement = Pick<
  Draft,
  keyof Content | 'subject' | 'text' | 'preheader' | 'from' | 'fromName' | 'replyTo' | 'type' | 'templateId'
>

interface TemplateSelectProps {
  draft: Draft
  /** Replaces the content of the draft. */
  onContent(content: Replacement): void
}

export function TemplateSelect({ draft, onContent }: TemplateSelectProps) {
  const toast = useToast()
  const templates = useTemplates()
  const { emailStyle } = useProject()
  const nameField = useNameField()
  const [asked, setAsked] = useState<(typeof templates)[number]>()
  const removeUndo = useRef(() => {})
  // Once the editor is closed, nothing can be undone.
  useEffect(() => () => removeUndo.current(), [])
  const copyTemplate = (template: (typeof templates)[number]) => {
    const { name, ...content } = draftOf(template)
    const { name: _, audienceType, segmentId, audienceCondition, ...before } = draft
    // A transactional campaign would also be sent to contacts who unsubscribed, so only its author can make it one.
    const keepsType = content.type === 'TRANSACTIONAL' && draft.type !== 'TRANSACTIONAL'
    onContent({ ...content, type: keepsType ? draft.type : content.type, templateId: template.id })
    const undo = { label: sharedTexts.undo, onSelect: () => onContent(before) }
    const copied = texts.editor.templateCopied(name)
    removeUndo.current = toast.done(keepsType ? `${copied} ${texts.editor.typeKept}` : copied, undo)
  }
  const current = templates.find(({ id }) => id === draft.templateId)
  /** Nothing is lost if the author has written nothing since the start or since the last template. */
  const isUntouched =
    (draft.subject === '' && isSameContent(draft, starterContent(emailStyle, nameField ?? null))) ||
    (current !== undefined && draft.subject === current.subject && isSameContent(draft, draftOf(current)))
  const chooseTemplate = (id: string) => {
    const template = templates.find((one) => one.id === id)
    if (!template) return
    if (isUntouched) copyTemplate(template)
    else setAsked(template)
  }
  return (
    <>
      <Select
        label={texts.editor.template}
        value={current?.id ?? ''}
        options={{ '': texts.editor.noTemplate, ...Object.fromEntries(templates.map(({ id, name }) => [id, name])) }}
        onChange={(event) => chooseTemplate(event.target.value)}
      />
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={texts.editor.replaceTitle}
        action={texts.editor.replace}
        dismiss={texts.editor.keepContent}
        onConfirm={async () => copyTemplate(asked!)}
      >
        <p>{texts.editor.replaceEffect(asked?.name ?? '')}</p>
      </Confirm>
    </>
  )
}
