/** The fields that templates and campaigns share: name, type, subject and sender. */
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { PosthornError } from '../../data/api.ts'
import type { Content } from '../../editor/document/content.ts'
import { TopicSelect } from '../../mail/topics.tsx'
import { SenderInput } from '../../pickers/sender-input.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input, Select, TextArea } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

type Fields = Omit<Draft, keyof Content>

interface EmailFieldsProps {
  draft: Fields
  set(changes: Partial<Fields>): void
  error: PosthornError | null
  /** Shown next to the subject and the preheader. */
  children?: ReactNode
}

const { fields } = texts

/** The fields that show their own error. */
export const EMAIL_FIELDS = ['name', 'subject', 'preheader', 'from', 'fromName', 'replyTo', 'topicId', 'text']

/** Fields that collapse into a summary once there is a sender, so that the content starts higher on the page. */
const DETAILS = ['from', 'fromName', 'replyTo', 'topicId', 'text']

export function EmailFields({ draft, set, error, children }: EmailFieldsProps) {
  const input = (label: string, name: 'name' | 'subject' | 'preheader' | 'fromName' | 'replyTo', more = {}) => (
    <Input
      label={label}
      value={draft[name]}
      error={fieldError(error, name)}
      onChange={(event) => set({ [name]: event.target.value })}
      {...more}
    />
  )
  return (
    <Card>
      <div className={`grid gap-4 ${children ? 'sm:grid-cols-2' : 'sm:grid-cols-[2fr_3fr_3fr]'}`}>
        {input(fields.name, 'name', { placeholder: fields.namePlaceholder })}
        {input(fields.subject, 'subject', { placeholder: fields.subjectPlaceholder })}
        {input(fields.preheader, 'preheader', { placeholder: fields.preheaderPlaceholder, maxLength: 500 })}
        {children}
      </div>
      <Details draft={draft} hasError={DETAILS.some((name) => fieldError(error, name))}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <SenderInput
            label={fields.from}
            placeholder={fields.fromPlaceholder}
            value={draft.from}
            error={fieldError(error, 'from')}
            onChange={(from) => set({ from })}
          />
          {input(fields.fromName, 'fromName')}
          {input(fields.replyTo, 'replyTo', { type: 'email', placeholder: fields.replyToPlaceholder })}
          <Select
            label={fields.type}
            value={draft.type}
            options={texts.types}
            onChange={(event) => set({ type: event.target.value as Draft['type'] })}
          />
        </div>
        <p className="mt-2 mb-4 text-[0.8125rem] text-pretty text-soft">{fields.typeHints[draft.type]}</p>
        {draft.type !== 'TRANSACTIONAL' && (
          <div className="mb-4 empty:hidden">
            <TopicSelect
              topicId={draft.topicId}
              error={fieldError(error, 'topicId')}
              onChange={(topicId) => set({ topicId })}
            />
          </div>
        )}
        <TextArea
          label={fields.text}
          hint={fields.textHint}
          value={draft.text}
          error={fieldError(error, 'text')}
          onChange={(event) => set({ text: event.target.value })}
        />
      </Details>
    </Card>
  )
}

/** The sender and the type, or a summary of them. */
function Details({ draft, hasError, children }: { draft: Fields; hasError: boolean; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(draft.from === '')
  useEffect(() => {
    if (hasError) setOpen(true)
  }, [hasError])
  return (
    <div className="mt-4 border-t border-line pt-2.5">
      <div className="-mb-2.5 flex items-center justify-between gap-3 text-sm">
        {isOpen ? (
          <h3 className="font-medium">{fields.details}</h3>
        ) : (
          <p className="min-w-0 wrap-anywhere text-soft">
            {draft.fromName ? `${draft.fromName} <${draft.from}>` : draft.from || fields.noSender}
            {` · ${texts.types[draft.type]}`}
          </p>
        )}
        <Button
          kind="quiet"
          className="-me-3"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? fields.hideDetails : fields.editDetails}
          <ChevronDown aria-hidden className={`transition-transform ${isOpen ? 'rotate-180' : ''}`} />
        </Button>
      </div>
      <div id={id} hidden={!isOpen} className="mt-4">
        {children}
      </div>
    </div>
  )
}
