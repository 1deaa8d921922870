/** The campaign editor: content, preview and audience. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { BodyEditor } from '../../parts/body-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { emptyCondition } from '../../parts/condition.ts'
import { RestoredNotice } from '../../parts/leave-dialog.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Resource } from '../../parts/resource.tsx'
import { SendTest } from '../../parts/send-test.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { useDraft } from '../../use-draft.ts'
import { blankDraft } from '../templates/draft.ts'
import { EMAIL_FIELDS, EmailFields, useDefaultSender } from '../templates/email-fields.tsx'
import { Preview } from '../templates/preview.tsx'
import { AudienceStep } from './audience.tsx'
import { type Draft, draftOf, inputOf } from './draft.ts'
import { type Content, TemplateSelect } from './template-select.tsx'
import { texts } from './texts.ts'

export function NewCampaignPage() {
  const [{ segment = '' }] = useSearchState<'segment'>()
  const sender = useDefaultSender()
  if (sender === undefined) return <Loading />
  const draft: Draft = {
    ...blankDraft(sender),
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
  const query = useQuery({
    queryKey: [projectId, 'campaigns', id],
    queryFn: () => unwrap(api.campaigns.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Resource
      query={query}
      title={texts.one.title}
      back={{ to: inProjectPath(projectId, 'campaigns'), label: texts.title }}
    >
      {(campaign) => <Editor key={id} id={id} start={draftOf(campaign)} />}
    </Resource>
  )
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const { draft, initial, saved, restored, set, discard, markSaved } = useDraft(
    start,
    `${projectId}.campaign.${id ?? 'new'}`,
  )
  /** The text of the code editor, which a template replaces. */
  const [body, setBody] = useState({ text: initial.body, revision: 0 })
  const replaceBody = (text: string) => setBody(({ revision }) => ({ text, revision: revision + 1 }))
  const replaceContent = (content: Content) => {
    set(content)
    replaceBody(content.body)
  }
  const saveCampaign = async () => {
    const done = await run(id ? api.campaigns.update(id, inputOf(draft)) : api.campaigns.create(inputOf(draft)))
    if (!done) return
    markSaved()
    toast.done(texts.editor.saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
    await navigate({ to: inProjectPath(projectId, `campaigns/${done.data.id}`), ignoreBlocker: true })
  }
  const sendTest = (to: string) => {
    const { subject, type, from, fromName, replyTo } = draft
    const sender = { from, fromName: fromName || null, replyTo: replyTo || null }
    return api.templates.test({ email: to, subject, body: draft.body, type, ...sender })
  }
  return (
    <Page
      wide
      title={id ? texts.editor.editTitle : texts.editor.createTitle}
      back={
        id
          ? { to: inProjectPath(projectId, `campaigns/${id}`), label: start.name }
          : { to: inProjectPath(projectId, 'campaigns'), label: texts.title }
      }
      actions={
        <>
          <SendTest
            lead={texts.editor.test}
            send={sendTest}
            view={({ emailId }) => void navigate({ to: inProjectPath(projectId, `emails/${emailId}`) })}
          />
          <Button kind="primary" shortcut="save" busy={busy} onClick={() => void saveCampaign()}>
            {texts.editor.save}
          </Button>
        </>
      }
    >
      {restored && (
        <RestoredNotice
          onDiscard={() => {
            discard()
            replaceBody(saved.body)
          }}
        />
      )}
      {problem && (
        <div className="mb-5">
          <Problem error={problem} shown={[...EMAIL_FIELDS, 'segmentId']} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <EmailFields draft={draft} set={set} error={error}>
            <TemplateSelect draft={draft} onContent={replaceContent} />
          </EmailFields>
          <BodyEditor
            start={body.text}
            revision={body.revision}
            onChange={(text) => set({ body: text })}
            className="h-[26rem] max-sm:h-96"
          />
          <AudienceStep audience={draft} type={draft.type} error={error} onChange={set} />
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}
