/** Writing a campaign: the letter, what the service makes of it, and who gets it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { BodyEditor } from '../../parts/body-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { emptyCondition } from '../../parts/condition.ts'
import { Opened } from '../../parts/opened.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { useDraft } from '../../use-draft.ts'
import { blankLetter } from '../templates/draft.ts'
import { LetterFields, useFirstSender } from '../templates/letter.tsx'
import { Preview } from '../templates/preview.tsx'
import { AudienceStep } from './audience.tsx'
import { type Draft, draftOf, inputOf } from './draft.ts'
import { FromTemplate } from './from-template.tsx'

export function NewCampaignPage() {
  const [{ segment = '' }] = useSearchState<'segment'>()
  const sender = useFirstSender()
  if (sender === undefined) return <Loading />
  const draft: Draft = {
    ...blankLetter(sender),
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
  const asked = useQuery({
    queryKey: [projectId, 'campaigns', id],
    queryFn: () => unwrap(api.campaigns.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Opened asked={asked} title="Campaign" back={{ to: inProjectPath(projectId, 'campaigns'), words: 'Campaigns' }}>
      {(campaign) => <Editor key={id} id={id} start={draftOf(campaign)} />}
    </Opened>
  )
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const { draft, set } = useDraft(start)
  /** What the code editor begins with; a template starts it anew. */
  const [body, setBody] = useState(start.body)
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
          <LetterFields draft={draft} set={set} error={error}>
            <FromTemplate
              templateId={draft.templateId}
              onTemplate={(content) => {
                set(content)
                setBody(content.body)
              }}
            />
          </LetterFields>
          <BodyEditor start={body} onChange={(text) => set({ body: text })} className="h-[26rem] max-sm:h-96" />
          <AudienceStep audience={draft} type={draft.type} error={error} onChange={set} />
        </div>
        <Preview draft={draft} />
      </div>
    </Page>
  )
}
