/** Writing a template: code on one side, on the other what the service makes of it for a real contact. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { BodyEditor } from '../../parts/body-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { Opened } from '../../parts/opened.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SendTest } from '../../parts/send-test.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { useDraft } from '../../use-draft.ts'
import { blankLetter, type Draft } from './draft.ts'
import { LetterFields, useFirstSender } from './letter.tsx'
import { Preview } from './preview.tsx'

export function NewTemplatePage() {
  const sender = useFirstSender()
  return sender === undefined ? <Loading /> : <Editor start={blankLetter(sender)} />
}

export function TemplatePage() {
  const { projectId, api } = useApi()
  const id = useId()
  const asked = useQuery({
    queryKey: [projectId, 'templates', id],
    queryFn: () => unwrap(api.templates.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Opened asked={asked} title="Template" back={{ to: inProjectPath(projectId, 'templates'), words: 'Templates' }}>
      {(template) => (
        <Editor
          key={id}
          id={id}
          start={{ ...template, fromName: template.fromName ?? '', replyTo: template.replyTo ?? '' }}
        />
      )}
    </Opened>
  )
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const { draft, kept, changed, set, keep } = useDraft(start)
  const saves = async () => {
    const { name, subject, body, from, type } = draft
    const sender = { from, fromName: draft.fromName || null, replyTo: draft.replyTo || null }
    const template = { name, subject, body, type, ...sender }
    const done = await act(id ? api.templates.update(id, template) : api.templates.create(template))
    if (!done) return
    keep()
    toast.done('Template saved.')
    queries.setQueryData([projectId, 'templates', done.data.id], done.data)
    void queries.invalidateQueries({ queryKey: [projectId, 'templates'], refetchType: 'none' })
    if (!id)
      await navigate({ to: inProjectPath(projectId, `templates/${done.data.id}`), replace: true, ignoreBlocker: true })
  }
  const sends = (to: string) => {
    const { subject, body, from, fromName, replyTo } = draft
    const sender = fromName ? { name: fromName, email: from } : from
    return api.emails.send({ to, subject, body, from: sender, ...(replyTo ? { reply: replyTo } : {}) })
  }

  return (
    <Page
      wide
      title={id ? kept.name : 'New template'}
      back={{ to: inProjectPath(projectId, 'templates'), words: 'Templates' }}
      actions={
        <>
          <SendTest
            lead="The draft as it stands. The address becomes a contact if it is not one yet."
            send={sends}
            onSent={({ emails }) => {
              void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
              void navigate({ to: inProjectPath(projectId, `emails/${emails[0]!.email}`) })
            }}
          />
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
          <LetterFields draft={draft} set={set} error={error} />
          <BodyEditor start={start.body} onChange={(body) => set({ body })} className="h-[34rem] max-sm:h-96" />
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}
