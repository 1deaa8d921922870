/** Copies the content of a template or of a gallery design into a campaign. It asks before content is replaced, and can be undone. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi, useProject } from '../../data/project.ts'
import { type Content, isSameContent, starterContent } from '../../editor/document/content.ts'
import { documentFromApi } from '../../editor/document/document.ts'
import { useNameField } from '../../editor/text/variables.tsx'
import { TemplatePicker, useTemplateQuery } from '../../pickers/template-picker.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { draftOf } from '../templates/draft.ts'
import type { Draft } from './draft.ts'
import { GalleryChoice } from './gallery-choice.tsx'
import { texts } from './texts.ts'

/** Everything that a template replaces. */
export type Replacement = Pick<
  Draft,
  keyof Content | 'subject' | 'text' | 'preheader' | 'from' | 'fromName' | 'replyTo' | 'type' | 'templateId'
>

interface Source {
  name: string
  content: Replacement
}

interface TemplateSelectProps {
  draft: Draft
  /** Replaces the content of the draft. */
  onContent(content: Replacement): void
}

export function TemplateSelect({ draft, onContent }: TemplateSelectProps) {
  const toast = useToast()
  const { api } = useApi()
  const { data: current } = useQuery(useTemplateQuery(draft.templateId ?? ''))
  const { emailStyle } = useProject()
  const nameField = useNameField()
  const [asked, setAsked] = useState<Source>()
  const removeUndo = useRef(() => {})
  // Once the editor is closed, nothing can be undone.
  useEffect(() => () => removeUndo.current(), [])
  const copyContent = ({ name, content }: Source) => {
    const { name: _, audienceType, segmentId, audienceCondition, experiment, utm, feed, ...before } = draft
    // A transactional campaign would also be sent to contacts who unsubscribed, so only its author can make it one.
    const keepsType = content.type === 'TRANSACTIONAL' && draft.type !== 'TRANSACTIONAL'
    onContent({ ...content, type: keepsType ? draft.type : content.type })
    const undo = { label: sharedTexts.undo, onSelect: () => onContent(before) }
    const copied = texts.editor.templateCopied(name)
    removeUndo.current = toast.done(keepsType ? `${copied} ${texts.editor.typeKept}` : copied, undo)
  }
  /** Nothing is lost if the author has written nothing since the start or since the last template. */
  const isUntouched =
    (draft.subject === '' && isSameContent(draft, starterContent(emailStyle, nameField ?? null))) ||
    (current !== undefined && draft.subject === current.subject && isSameContent(draft, draftOf(current)))
  const choose = (source: Source) => {
    if (isUntouched) copyContent(source)
    else setAsked(source)
  }
  const chooseTemplate = async (id: string) => {
    const { data: template, error } = await api.templates.get(id)
    if (error) return toast.failed(error)
    const { name, ...content } = draftOf(template)
    choose({ name, content: { ...content, templateId: template.id } })
  }
  /** A design has no sender and no topic, so those of the campaign stay. */
  const chooseDesign = ({ name, subject, preheader, type, document }: Schemas['GalleryTemplate']) => {
    const { from, fromName, replyTo } = draft
    const content = { editor: 'visual' as const, body: '', mjml: null, document: documentFromApi(document), text: '' }
    choose({ name, content: { ...content, subject, preheader, type, from, fromName, replyTo, templateId: null } })
  }
  return (
    <>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TemplatePicker
            label={texts.editor.template}
            value={draft.templateId ?? ''}
            onChoose={(id) => void chooseTemplate(id)}
          />
        </div>
        <GalleryChoice onChoose={chooseDesign} />
      </div>
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={texts.editor.replaceTitle}
        action={texts.editor.replace}
        dismiss={texts.editor.keepContent}
        onConfirm={async () => copyContent(asked!)}
      >
        <p>{texts.editor.replaceEffect(asked?.name ?? '')}</p>
      </Confirm>
    </>
  )
}
