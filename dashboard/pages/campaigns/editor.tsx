/** The campaign editor: fields, audience and content. */
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, History } from 'lucide-react'
import { useRef, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { emptyCondition } from '../../conditions/condition.ts'
import type { Schemas } from '../../data/api.ts'
import { labelOf } from '../../data/errors.ts'
import { useApi, useProject, useSearchState } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { showBlock } from '../../editor/show-block.ts'
import { useNameField } from '../../editor/text/variables.tsx'
import { Moment } from '../../figures/moment.tsx'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EditedResource } from '../../lists/resource.tsx'
import { ContentChecks } from '../../mail/content-checks.tsx'
import { useDraftHistory, useHistoryKeys } from '../../saving/use-draft-history.ts'
import { useSave } from '../../saving/use-save.tsx'
import { RestoredNotice } from '../../shell/leave-dialog.tsx'
import { Loading, Page, WideActions } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { PhoneActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { blankDraft, checkedOf, emailOf } from '../templates/draft.ts'
import { EMAIL_FIELDS, EmailFields } from '../templates/email-fields.tsx'
import { SendContactTest } from '../templates/send-contact-test.tsx'
import { useDefaultSender } from '../templates/use-default-sender.ts'
import { VersionHistory } from '../versions/history.tsx'
import { whoSavedLast } from '../versions/template-version.tsx'
import { texts as versionTexts } from '../versions/texts.ts'
import { CancelCampaign } from './actions.tsx'
import { AudienceStep, useAudience } from './audience.tsx'
import { audienceOf, type Draft, draftFrom, draftOf, inputOf, isAudienceComplete, partsOf } from './draft.ts'
import { checkedVariants, readWithExperiment, saveExperiment, type WithExperiment } from './experiment/draft.ts'
import { ExperimentSetup, experimentFields } from './experiment/setup.tsx'
import { CampaignContent } from './experiment/variant-content.tsx'
import { FeedFields } from './feed-fields.tsx'
import { LinkParameters } from './link-parameters.tsx'
import { ZONE } from './local-time.ts'
import { RescheduleCampaign } from './send.tsx'
import { type Replacement, TemplateSelect } from './template-select.tsx'
import { texts } from './texts.ts'
import { timingTexts } from './timing/texts.ts'

export function NewCampaignPage() {
  const [{ segment = '' }] = useSearchState<'segment'>()
  const sender = useDefaultSender()
  const project = useProject()
  const nameField = useNameField()
  if (sender === undefined || nameField === undefined) return <Loading />
  const draft: Draft = {
    ...blankDraft(sender, project, nameField),
    templateId: null,
    utm: null,
    feed: null,
    experiment: null,
    audienceType: segment ? 'SEGMENT' : 'ALL',
    segmentId: segment,
    audienceCondition: emptyCondition(),
  }
  return <Editor start={draft} />
}

export function EditCampaignPage() {
  const { projectId, api } = useApi()
  return (
    <EditedResource
      of="campaigns"
      load={(id) => readWithExperiment(api, id)}
      title={texts.one.title}
      back={{ to: projectPage(projectId, 'campaigns'), label: texts.title }}
    >
      {(campaign, id) => <Editor key={id} campaign={campaign} start={draftOf(campaign)} />}
    </EditedResource>
  )
}

function Editor({ campaign, start }: { campaign?: WithExperiment; start: Draft }) {
  const { id, version, updatedAt } = campaign ?? {}
  /** A new campaign whose experiment couldn't be saved: the next attempt must not create another one. */
  const created = useRef<string>(undefined)
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const form = useDraft(start, { key: `${projectId}.campaign.${id ?? 'new'}`, readAt: updatedAt })
  const { draft, changed, restored, discard, replace } = form
  /** Counts how often the content was replaced, by a template or because changes were discarded. */
  const [revision, setRevision] = useState(0)
  const showReplaced = () => setRevision((before) => before + 1)
  const { set, edit, ...steps } = useDraftHistory(form, showReplaced)
  const fields = useRef<HTMLDivElement>(null)
  useHistoryKeys(fields, steps)
  const replaceContent = (content: Replacement) => {
    set(content)
    showReplaced()
  }
  const showSaved = async (saved: WithExperiment) => {
    toast.done(texts.editor.saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
    await navigate(projectPage(projectId, 'campaigns/$id', { id: saved.id }), { ignoreBlocker: true })
  }
  const { save, dialog, busy, error, problem } = useSave(form, {
    ...(id && { read: () => readWithExperiment(api, id) }),
    save: async (draft, condition, before) => {
      const existing = id ?? created.current
      const saved = await (existing
        ? api.campaigns.update(existing, inputOf(draft), condition)
        : api.campaigns.create(inputOf(draft)))
      if (saved.error) return saved
      created.current = saved.data.id
      return saveExperiment(api, saved.data, draft.experiment, before.experiment)
    },
    draftOf,
    partsOf,
    draftFrom,
    labelOf: (part) => texts.editor.parts[part as keyof typeof texts.editor.parts] ?? labelOf(part),
    show: (part, value) => (part === 'audience' ? texts.one.audiences[(value as Draft).audienceType] : undefined),
    whoSaved: (saved) => whoSavedLast(api.campaigns.versions(saved.id), saved),
    onSaved: showSaved,
    onReplaced: showReplaced,
  })
  const { data: audience } = useAudience(draft, draft.type)
  const showRestored = (restored: Schemas['Campaign']) => {
    const whole = { ...restored, experiment: campaign?.experiment ?? null }
    replace(draftOf(whole), whole.updatedAt)
    showReplaced()
    queries.setQueryData([projectId, 'campaigns', whole.id], whole)
  }
  return (
    <Page
      wide
      title={id ? start.name : texts.editor.createTitle}
      lead={id ? undefined : texts.editor.createLead}
      back={
        id
          ? { to: projectPage(projectId, 'campaigns/$id', { id }), label: texts.one.title }
          : { to: projectPage(projectId, 'campaigns'), label: texts.title }
      }
      actions={
        <>
          {id && version && (
            <VersionHistory
              of="campaigns"
              id={id}
              type={draft.type}
              current={version}
              hasUnsaved={changed}
              onRestored={showRestored}
              trigger={(openVersions) => <VersionsButton current={version} onClick={openVersions} />}
            />
          )}
          <SendContactTest
            lead={texts.editor.test}
            send={(test) => api.templates.test({ ...test, ...emailOf(draft) })}
            view={({ emailId }) => void navigate(projectPage(projectId, 'emails/$id', { id: emailId }))}
          />
          <Button kind="primary" shortcut="save" busy={busy} onClick={() => void save()}>
            {texts.editor.save}
          </Button>
        </>
      }
    >
      {campaign?.status === 'SCHEDULED' && (
        <Scheduled
          campaign={campaign}
          onCanceled={() => void navigate(projectPage(projectId, 'campaigns/$id', { id: campaign.id }))}
        />
      )}
      {restored && (
        <RestoredNotice
          onDiscard={() => {
            discard()
            showReplaced()
          }}
        />
      )}
      {dialog}
      {problem && (
        <div className="mb-5">
          <Problem
            error={problem}
            shown={[
              ...EMAIL_FIELDS,
              'segmentId',
              'utm.source',
              'utm.medium',
              'utm.campaign',
              'feed.url',
              'feed.maxItems',
              ...experimentFields(draft.experiment),
            ]}
          />
        </div>
      )}
      <div ref={fields} className="space-y-6">
        <EmailFields draft={draft} set={set} error={error}>
          <TemplateSelect draft={draft} onContent={replaceContent} />
        </EmailFields>
        <AudienceStep audience={draft} type={draft.type} error={error} onChange={set} />
        <CampaignContent draft={draft} edit={edit} steps={steps} revision={revision} error={error} />
        <ContentChecks
          draft={{
            ...checkedOf(draft),
            ...(isAudienceComplete(draft) ? { audience: audienceOf(draft) } : {}),
            ...(draft.experiment && { variants: checkedVariants(draft.experiment) }),
          }}
          isWritten={id !== undefined || draft.subject !== ''}
          onSelectBlock={showBlock}
        />
        <ExperimentSetup
          experiment={draft.experiment}
          campaign={draft}
          audience={audience?.count}
          isTimed={Boolean(campaign?.timing)}
          error={error}
          onChange={set}
        />
        <LinkParameters utm={draft.utm} error={error} onChange={set} />
        <FeedFields feed={draft.feed} error={error} onChange={set} />
      </div>
    </Page>
  )
}

/** When the campaign will be sent, with what can be done about it. */
const Scheduled = ({ campaign, onCanceled }: { campaign: Schemas['Campaign']; onCanceled(): void }) => (
  <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 rounded-card border border-line bg-info-wash px-4 py-2.5 text-sm text-info">
    <p className="flex min-w-0 flex-1 basis-80 items-start gap-2.5">
      <CalendarClock className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        <RichText
          text={texts.editor.scheduled(ZONE)}
          elements={{ time: () => <Moment at={campaign.scheduledFor} /> }}
        />{' '}
        {campaign.timing && timingTexts.describe(campaign.timing)}
      </span>
    </p>
    <div className="flex flex-wrap gap-2">
      <RescheduleCampaign campaign={campaign} />
      <CancelCampaign campaign={campaign} onCanceled={onCanceled} />
    </div>
  </div>
)

/** On a phone it is in a menu, so that the other buttons fit into one line. */
const VersionsButton = ({ current, onClick }: { current: number; onClick(): void }) => (
  <>
    <WideActions>
      <Button aria-haspopup="dialog" title={versionTexts.title} onClick={onClick}>
        <History aria-hidden /> {versionTexts.version(current)}
      </Button>
    </WideActions>
    <div className="order-last sm:hidden">
      <PhoneActions actions={[{ icon: History, label: versionTexts.title, onSelect: onClick }]} />
    </div>
  </>
)
