/** The fields that templates and campaigns share: name, type, subject and sender. */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { type PosthornError, unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { fieldError, Input, Select } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { useApi } from '../../project.ts'
import type { Content } from '../email-editor/content.ts'
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
export const EMAIL_FIELDS = ['name', 'subject', 'preheader', 'from', 'fromName', 'replyTo']

/** Fields that collapse into a summary once they are filled in, so that the content starts higher on the page. */
const DETAILS = ['name', 'from', 'fromName', 'replyTo']

const isComplete = ({ name, from }: Fields) => name !== '' && from !== ''

export function EmailFields({ draft, set, error, children }: EmailFieldsProps) {
  const detailsId = useId()
  const input = (
    label: string,
    name: 'name' | 'subject' | 'preheader' | 'from' | 'fromName' | 'replyTo',
    more = {},
  ) => (
    <Input
      label={label}
      value={draft[name]}
      error={fieldError(error, name)}
      onChange={(event) => set({ [name]: event.target.value })}
      {...more}
    />
  )
  const [isOpen, setOpen] = useState(!isComplete(draft))
  const hasError = DETAILS.some((name) => fieldError(error, name))
  useEffect(() => {
    if (hasError) setOpen(true)
  }, [hasError])
  return (
    <Card>
      <div id={detailsId} hidden={!isOpen} className="mb-4 grid gap-4 sm:grid-cols-6">
        <div className="sm:col-span-4">{input(fields.name, 'name', { placeholder: fields.namePlaceholder })}</div>
        <div className="sm:col-span-2">
          <Select
            label={fields.type}
            value={draft.type}
            options={texts.types}
            onChange={(event) => set({ type: event.target.value as Draft['type'] })}
          />
        </div>
        <div className="sm:col-span-2">
          {input(fields.from, 'from', { type: 'email', placeholder: fields.fromPlaceholder })}
        </div>
        <div className="sm:col-span-2">{input(fields.fromName, 'fromName')}</div>
        <div className="sm:col-span-2">
          {input(fields.replyTo, 'replyTo', { type: 'email', placeholder: fields.replyToPlaceholder })}
        </div>
      </div>
      <div className="mb-4 flex items-center justify-between gap-3 text-sm">
        {isOpen ? (
          <p className="text-[0.8125rem] text-pretty text-soft">{fields.typeHints[draft.type]}</p>
        ) : (
          <p className="min-w-0 truncate">
            <span className="font-medium">{draft.name || fields.unnamed}</span>
            <span className="text-soft">
              {` · ${texts.types[draft.type]} · `}
              {draft.fromName ? `${draft.fromName} <${draft.from}>` : draft.from || fields.noSender}
            </span>
          </p>
        )}
        <Button
          kind="quiet"
          className="-mr-2"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? fields.hideDetails : fields.editDetails}
          <ChevronDown aria-hidden className={`transition-transform ${isOpen ? 'rotate-180' : ''}`} />
        </Button>
      </div>
      <div className={`grid gap-4 ${children ? 'sm:grid-cols-3' : 'sm:grid-cols-2'}`}>
        {input(fields.subject, 'subject')}
        {input(fields.preheader, 'preheader', { placeholder: fields.preheaderPlaceholder, maxLength: 500 })}
        {children}
      </div>
    </Card>
  )
}

/** An address of a verified domain; empty if there is none, undefined while loading. */
export function useDefaultSender(): string | undefined {
  const { projectId, api } = useApi()
  const { data: domains } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  if (!domains) return undefined
  const domain = domains.find((one) => one.verified)?.domain
  return domain ? `hello@${domain}` : ''
}

const TEMPLATES_MAX = 100

/** The most recently updated templates. */
export function useTemplates() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'templates', 'recent'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: TEMPLATES_MAX, sort: 'updatedAt' }))).data,
  })
  return data ?? []
}
