/** Name, kind, subject and sender of a letter: of a template, and of a campaign, which is a letter too. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type PosthornError, unwrap } from '../../api.ts'
import { Input, Select, wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { useApi } from '../../project.ts'
import { type Draft, TYPES } from './draft.ts'

interface LetterProps {
  draft: Omit<Draft, 'body'>
  set(changes: Partial<Omit<Draft, 'body'>>): void
  error: PosthornError | null
  /** Beside the subject. */
  children?: ReactNode
}

const TYPE_HINTS: Record<Draft['type'], string> = {
  MARKETING: 'Marketing: goes to subscribed contacts, with a footer that lets them unsubscribe.',
  TRANSACTIONAL: 'Transactional: receipts, resets and the like. Goes to everyone, without a footer.',
  HEADLESS: 'Headless: bulk mail without a footer of ours. Write your own, with {{unsubscribeUrl}}.',
}

export function LetterFields({ draft, set, error, children }: LetterProps) {
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
        <div className={children ? 'sm:col-span-4' : 'sm:col-span-6'}>{input('Subject', 'subject')}</div>
        {children && <div className="sm:col-span-2">{children}</div>}
        <div className="sm:col-span-3 2xl:col-span-2">
          {input('From', 'from', { type: 'email', placeholder: 'hello@your-domain.com' })}
        </div>
        <div className="sm:col-span-3 2xl:col-span-2">{input("Sender's name", 'fromName')}</div>
        <div className="sm:col-span-6 2xl:col-span-2">
          {input('Reply to', 'replyTo', { type: 'email', placeholder: 'The sender' })}
        </div>
        <p className="text-[0.8125rem] text-soft sm:col-span-6">{TYPE_HINTS[draft.type]}</p>
      </div>
    </Card>
  )
}

/** An address that may send; empty where there is none yet, undefined until we know. */
export function useFirstSender(): string | undefined {
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

/** Those changed last, to start from or to send. */
export function useTemplates() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'templates', 'to-start-from'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: TEMPLATES_MAX, sort: 'updatedAt' }))).data,
  })
  return data ?? []
}
