/** Writing a campaign: the letter, what the service makes of it, and who gets it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { emptyCondition } from '../../parts/condition.ts'
import { Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { FIRST_BODY } from '../templates/draft.ts'
import { Preview } from '../templates/preview.tsx'
import { AudienceStep } from './audience.tsx'
import { type Draft, draftOf, inputOf } from './draft.ts'
import { LetterFields } from './letter.tsx'

const CodeEditor = lazy(() => import('../../parts/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

export function NewCampaignPage() {
  const { projectId, api } = useApi()
  const [{ segment = '' }] = useSearchState<'segment'>()
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
    templateId: null,
    audienceType: segment ? 'SEGMENT' : 'ALL',
    segmentId: segment,
    audienceCondition: emptyCondition(),
  }
  return <Editor start={draft} />
}

export function EditCampaignPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'campaigns', id],
    queryFn: () => unwrap(api.campaigns.get(id)),
    refetchOnWindowFocus: false,
  })
  if (error) {
    return (
      <Page title="Campaign" back={{ to: inProjectPath(projectId, 'campaigns'), words: 'Campaigns' }}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!data) return <Loading />
  return <Editor key={id} id={id} start={draftOf(data)} />
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState(start)
  /** What the code editor begins with; a template starts it anew. */
  const [body, setBody] = useState(start.body)
  const changed = JSON.stringify(draft) !== JSON.stringify(start)
  useBlocker({
    shouldBlockFn: () => changed && !busy && !window.confirm('Leave without saving?'),
    enableBeforeUnload: () => changed,
  })
  const set = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }))
  const saves = async () => {
    const done = await act(id ? api.campaigns.update(id, inputOf(draft)) : api.campaigns.create(inputOf(draft)))
    if (!done) return
    toast.done('Campaign saved.')
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
    await navigate({ to: inProjectPath(projectId, `campaigns/${done.data.id}`), ignoreBlocker: true })
  }
  return (
    <Page
      wide
      title={id ? `Edit ${start.name}` : 'New campaign'}
      back={
        id
          ? { to: inProjectPath(projectId, `campaigns/${id}`), words: start.name }
          : { to: inProjectPath(projectId, 'campaigns'), words: 'Campaigns' }
      }
      actions={
        <Button kind="primary" busy={busy} onClick={() => void saves()}>
          Save campaign
        </Button>
      }
    >
      {problem && (
        <div className="mb-5">
          <Problem error={problem} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <LetterFields
            draft={draft}
            set={set}
            error={error}
            onTemplate={(template) => {
              set(template)
              setBody(template.body)
            }}
          />
          <section aria-label="Body" className="overflow-hidden rounded-card border border-line bg-card shadow-lift">
            <p className="border-b border-line px-4 py-2.5 text-[0.8125rem] text-soft">
              HTML with Liquid: <code className="font-mono">{'{{name ?? "there"}}'}</code>
            </p>
            <div className="h-[26rem]">
              <Suspense fallback={<Loading />}>
                <CodeEditor
                  label="Body, HTML with Liquid"
                  language="html"
                  start={body}
                  onChange={(text) => set({ body: text })}
                />
              </Suspense>
            </div>
          </section>
          <AudienceStep audience={draft} type={draft.type} error={error} onChange={set} />
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}
