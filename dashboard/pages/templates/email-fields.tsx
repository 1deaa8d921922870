/** The fields that templates and campaigns share: name, type, subject and sender. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type PosthornError, unwrap } from '../../api.ts'
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
  /** Shown next to the subject. */
  children?: ReactNode
}

const { fields } = texts

/** The fields that show their own error. */
export const EMAIL_FIELDS = ['name', 'subject', 'preheader', 'from', 'fromName', 'replyTo']

export function EmailFields({ draft, set, error, children }: EmailFieldsProps) {
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
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-6 xl:grid-cols-12">
        <div className="sm:col-span-4">{input(fields.name, 'name', { placeholder: fields.namePlaceholder })}</div>
        <div className="sm:col-span-2">
          <Select
            label={fields.type}
            value={draft.type}
            options={texts.types}
            onChange={(event) => set({ type: event.target.value as Draft['type'] })}
          />
        </div>
        <div className={children ? 'sm:col-span-4' : 'sm:col-span-6'}>{input(fields.subject, 'subject')}</div>
        {children && <div className="sm:col-span-2">{children}</div>}
        <div className="sm:col-span-6 xl:col-span-12">
          {input(fields.preheader, 'preheader', { placeholder: fields.preheaderPlaceholder, maxLength: 500 })}
        </div>
        <div className="sm:col-span-3 xl:col-span-4">
          {input(fields.from, 'from', { type: 'email', placeholder: fields.fromPlaceholder })}
        </div>
        <div className="sm:col-span-3 xl:col-span-4">{input(fields.fromName, 'fromName')}</div>
        <div className="sm:col-span-6 xl:col-span-4">
          {input(fields.replyTo, 'replyTo', { type: 'email', placeholder: fields.replyToPlaceholder })}
        </div>
        <p className="text-[0.8125rem] text-soft sm:col-span-6 xl:col-span-12">{fields.typeHints[draft.type]}</p>
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
