/** The template editor: fields and code on one side, the preview on the other. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { BodyEditor } from '../../parts/body-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { RestoredNotice } from '../../parts/leave-dialog.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Resource } from '../../parts/resource.tsx'
import { SendTest } from '../../parts/send-test.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { useDraft } from '../../use-draft.ts'
import { blankDraft, type Draft } from './draft.ts'
import { EMAIL_FIELDS, EmailFields, useDefaultSender } from './email-fields.tsx'
import { Preview } from './preview.tsx'
import { texts } from './texts.ts'

export function NewTemplatePage() {
  const sender = useDefaultSender()
  return sender === undefined ? <Loading /> : <Editor start={blankDraft(sender)} />
}

export function TemplatePage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'templates', id],
    queryFn: () => unwrap(api.templates.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Resource
      query={query}
      title={texts.editor.title}
      back={{ to: inProjectPath(projectId, 'templates'), label: texts.title }}
    >
      {(template) => (
        <Editor
          key={id}
          id={id}
          start={{ ...template, fromName: template.fromName ?? '', replyTo: template.replyTo ?? '' }}
        />
      )}
    </Resource>
  )
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const { draft, initial, saved, changed, restored, set, discard, markSaved } = useDraft(
    start,
    `${projectId}.template.${id ?? 'new'}`,
  )
  const [body, setBody] = useState(initial.body)
  const saveTemplate = async () => {
    const { name, subject, body, from, type } = draft
    const sender = { from, fromName: draft.fromName || null, replyTo: draft.replyTo || null }
    const template = { name, subject, body, type, ...sender }
    const done = await run(id ? api.templates.update(id, template) : api.templates.create(template))
    if (!done) return
    markSaved()
    toast.done(texts.editor.saved)
    queries.setQueryData([projectId, 'templates', done.data.id], done.data)
    void queries.invalidateQueries({ queryKey: [projectId, 'templates'], refetchType: 'none' })
    if (!id)
      await navigate({ to: inProjectPath(projectId, `templates/${done.data.id}`), replace: true, ignoreBlocker: true })
  }
  const sendTest = (to: string) => {
    const { subject, body, type, from, fromName, replyTo } = draft
    return api.templates.test({
      email: to,
      subject,
      body,
      type,
      from,
      fromName: fromName || null,
      replyTo: replyTo || null,
    })
  }

  return (
    <Page
      wide
      title={id ? saved.name : texts.editor.createTitle}
      back={{ to: inProjectPath(projectId, 'templates'), label: texts.title }}
      actions={
        <>
          <SendTest
            lead={texts.editor.test}
            send={sendTest}
            view={({ emailId }) => void navigate({ to: inProjectPath(projectId, `emails/${emailId}`) })}
          />
          <Button
            kind="primary"
            shortcut="save"
            busy={busy}
            disabled={!changed && id !== undefined}
            onClick={() => void saveTemplate()}
          >
            {changed || !id ? texts.editor.save : texts.editor.allSaved}
          </Button>
        </>
      }
    >
      {restored && (
        <RestoredNotice
          onDiscard={() => {
            discard()
            setBody(saved.body)
          }}
        />
      )}
      {problem && (
        <div className="mb-5">
          <Problem error={problem} shown={EMAIL_FIELDS} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-5">
          <EmailFields draft={draft} set={set} error={error} />
          <BodyEditor start={body} onChange={(body) => set({ body })} className="h-[34rem] max-sm:h-96" />
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}
