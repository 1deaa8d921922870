/** Writing a template: code on one side, on the other what the service makes of it for a real contact. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Input, Select, wrongAt } from '../../parts/field.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { type Draft, FIRST_BODY, TYPES } from './draft.ts'
import { Preview } from './preview.tsx'
import { SendTest } from './send-test.tsx'

const CodeEditor = lazy(() => import('../../parts/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

export function NewTemplatePage() {
  const { projectId, api } = useApi()
  const { data: domains } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  if (!domains) return <Loading />
  const domain = domains.find((one) => one.verified)?.domain
  const draft: Draft = {
    name: '',
    subject: '',
    body: FIRST_BODY,
    from: domain ? `hello@${domain}` : '',
    fromName: '',
    replyTo: '',
    type: 'MARKETING',
  }
  return <Editor start={draft} />
}

export function TemplatePage() {
  const { projectId, api } = useApi()
  const id = useId()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'templates', id],
    queryFn: () => unwrap(api.templates.get(id)),
    refetchOnWindowFocus: false,
  })
  if (error) {
    return (
      <Page title="Template" back={{ to: inProjectPath(projectId, 'templates'), words: 'Templates' }}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!data) return <Loading />
  return <Editor key={id} id={id} start={{ ...data, fromName: data.fromName ?? '', replyTo: data.replyTo ?? '' }} />
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [kept, setKept] = useState(start)
  const [draft, setDraft] = useState(start)
  const changed = JSON.stringify(draft) !== JSON.stringify(kept)
  useBlocker({
    shouldBlockFn: () => changed && !busy && !window.confirm('Leave without saving?'),
    enableBeforeUnload: () => changed,
  })

  const set = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }))
  const saves = async () => {
    const { name, subject, body, from, type } = draft
    const template = {
      name,
      subject,
      body,
      from,
      type,
      fromName: draft.fromName || null,
      replyTo: draft.replyTo || null,
    }
    const done = await act(id ? api.templates.update(id, template) : api.templates.create(template))
    if (!done) return
    setKept(draft)
    toast.done('Template saved.')
    queries.setQueryData([projectId, 'templates', done.data.id], done.data)
    void queries.invalidateQueries({ queryKey: [projectId, 'templates'], refetchType: 'none' })
    if (!id)
      await navigate({ to: inProjectPath(projectId, `templates/${done.data.id}`), replace: true, ignoreBlocker: true })
  }

  return (
    <Page
      wide
      title={id ? kept.name : 'New template'}
      back={{ to: inProjectPath(projectId, 'templates'), words: 'Templates' }}
      actions={
        <>
          <SendTest draft={draft} />
          <Button kind="primary" busy={busy} disabled={!changed && id !== undefined} onClick={() => void saves()}>
            {changed || !id ? 'Save template' : 'Saved'}
          </Button>
        </>
      }
    >
      {problem && (
        <div className="mb-5">
          <Problem error={problem} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-5">
          <Fields draft={draft} set={set} error={error} />
          <section aria-label="Body" className="overflow-hidden rounded-card border border-line bg-card shadow-lift">
            <p className="border-b border-line px-4 py-2.5 text-[0.8125rem] text-soft">
              HTML with Liquid: <code className="font-mono">{'{{name ?? "there"}}'}</code>,{' '}
              <code className="font-mono">{'{% if plan == "pro" %}'}</code>
            </p>
            <div className="h-[34rem]">
              <Suspense fallback={<Loading />}>
                <CodeEditor
                  label="Body, HTML with Liquid"
                  language="html"
                  start={start.body}
                  onChange={(body) => set({ body })}
                />
              </Suspense>
            </div>
          </section>
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}

interface FieldsProps {
  draft: Draft
  set(changes: Partial<Draft>): void
  error: Parameters<typeof wrongAt>[0]
}

const Fields = ({ draft, set, error }: FieldsProps) => (
  <Card>
    <div className="grid gap-4 sm:grid-cols-6">
      <div className="sm:col-span-4">
        <Input
          label="Name"
          placeholder="Only you see it"
          value={draft.name}
          wrong={wrongAt(error, 'name')}
          onChange={(event) => set({ name: event.target.value })}
        />
      </div>
      <div className="sm:col-span-2">
        <Select
          label="Type"
          value={draft.type}
          options={TYPES}
          onChange={(event) => set({ type: event.target.value as Draft['type'] })}
        />
      </div>
      <div className="sm:col-span-6">
        <Input
          label="Subject"
          value={draft.subject}
          wrong={wrongAt(error, 'subject')}
          onChange={(event) => set({ subject: event.target.value })}
        />
      </div>
      <div className="sm:col-span-2">
        <Input
          label="From"
          type="email"
          placeholder="hello@your-domain.com"
          value={draft.from}
          wrong={wrongAt(error, 'from')}
          onChange={(event) => set({ from: event.target.value })}
        />
      </div>
      <div className="sm:col-span-2">
        <Input
          label="Sender's name"
          value={draft.fromName}
          wrong={wrongAt(error, 'fromName')}
          onChange={(event) => set({ fromName: event.target.value })}
        />
      </div>
      <div className="sm:col-span-2">
        <Input
          label="Reply to"
          type="email"
          placeholder="The sender"
          value={draft.replyTo}
          wrong={wrongAt(error, 'replyTo')}
          onChange={(event) => set({ replyTo: event.target.value })}
        />
      </div>
      <p className="text-[0.8125rem] text-soft sm:col-span-6">{TYPE_HINTS[draft.type]}</p>
    </div>
  </Card>
)

const TYPE_HINTS: Record<Draft['type'], string> = {
  MARKETING: 'Marketing: goes to subscribed contacts, with a footer that lets them unsubscribe.',
  TRANSACTIONAL: 'Transactional: receipts, resets and the like. Goes to everyone, without a footer.',
  HEADLESS: 'Headless: bulk mail without a footer of ours. Write your own, with {{unsubscribeUrl}}.',
}
