/** One campaign: status, progress, statistics, recipients and content. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { projectPage } from '../../../addresses.ts'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useLiveQueries } from '../../../data/live.ts'
import { useApi, useId } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Link } from '../../../links.tsx'
import { Resource } from '../../../lists/resource.tsx'
import { Tags } from '../../../lists/tags.tsx'
import { Card, Page } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { VersionHistory } from '../../versions/history.tsx'
import { CampaignActions } from '../actions.tsx'
import { AudienceCount } from '../audience.tsx'
import { draftOf } from '../draft.ts'
import { ExperimentCard } from '../experiment/results.tsx'
import { RecurrenceCard } from '../recurrence.tsx'
import { CampaignStatus } from '../status.tsx'
import { texts } from '../texts.ts'
import { timingTexts } from '../timing/texts.ts'
import { ArchiveCard } from './archive.tsx'
import { AudienceName, Content } from './content.tsx'
import { LiveProgress } from './live-progress.tsx'
import { Recipients } from './recipients.tsx'
import { Report } from './report.tsx'
import { Stats } from './stats.tsx'
import { WavesCard } from './waves.tsx'

type Campaign = Schemas['Campaign']

/** In case the stream is interrupted; usually the page is updated through it. */
const FALLBACK_MS = 5_000
const MINUTE_MS = 60_000
const SOON_MS = MINUTE_MS

/** Whether the campaign changes without anyone using this page. */
function isActive(campaign: Campaign | undefined): boolean {
  if (campaign?.status === 'SENDING') return true
  return campaign?.status === 'SCHEDULED' && Date.parse(campaign.scheduledFor ?? '') < Date.now() + SOON_MS
}

export function CampaignPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'campaigns', id],
    queryFn: () => unwrap(api.campaigns.get(id)),
    refetchInterval: ({ state }) => (isActive(state.data) ? FALLBACK_MS : false),
  })
  // The query keys of statistics, report and recipients start with this one, so they are refetched together.
  useLiveQueries([[projectId, 'campaigns', id]], (item) => item.metadata.campaignId === id)
  useRefetchOnStatusChange([projectId, 'campaigns', id], query.data?.status)
  const back = { to: projectPage(projectId, 'campaigns'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(campaign) => (
        <Page
          title={campaign.name}
          lead={<StatusLine campaign={campaign} />}
          back={back}
          actions={
            <VersionHistory
              of="campaigns"
              id={id}
              type={campaign.type}
              current={campaign.version}
              trigger={(openVersions) => <CampaignActions campaign={campaign} openVersions={openVersions} />}
            />
          }
        >
          <div className="space-y-6">
            {campaign.heldReason && <NotStarted reason={campaign.heldReason} />}
            {campaign.status === 'SENDING' && <LiveProgress campaign={campaign} />}
            {campaign.sentAt !== null && campaign.hasExperiment && <ExperimentCard campaign={campaign} />}
            {campaign.sentAt !== null && (
              <>
                <Stats campaign={campaign} />
                <Report campaign={campaign} />
              </>
            )}
            {campaign.sentAt !== null && <WavesCard campaign={campaign} />}
            {isEditable(campaign) && (
              <>
                <AudienceCard campaign={campaign} />
                <ExperimentCard campaign={campaign} />
              </>
            )}
            {campaign.status === 'DRAFT' && <RecurrenceCard campaign={campaign} />}
            <Content campaign={campaign} />
            {campaign.status !== 'CANCELLED' && <ArchiveCard campaign={campaign} />}
            {campaign.sentAt !== null && <Recipients campaign={campaign} />}
          </div>
        </Page>
      )}
    </Resource>
  )
}

/** Refetches everything about the campaign when its status changes: the last emails may have been sent in between. */
function useRefetchOnStatusChange(queryKey: string[], status: Campaign['status'] | undefined) {
  const queries = useQueryClient()
  const before = useRef(status)
  const key = queryKey.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is compared by its parts.
  useEffect(() => {
    if (before.current !== undefined && before.current !== status) void queries.invalidateQueries({ queryKey })
    before.current = status
  }, [status, key, queries])
}

const StatusLine = ({ campaign }: { campaign: Campaign }) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
    <CampaignStatus campaign={campaign} />
    <span>
      <CampaignDates campaign={campaign} />
    </span>
    {campaign.recurrenceOf && <RecurrenceOf id={campaign.recurrenceOf} />}
    <Tags kind="campaigns" item={campaign} />
  </div>
)

function RecurrenceOf({ id }: { id: string }) {
  const { projectId } = useApi()
  const link = (text: string) => (
    <Link to={projectPage(projectId, 'campaigns/$id', { id })} className="underline">
      {text}
    </Link>
  )
  return (
    <span>
      <RichText text={texts.recurrence.copyOf} elements={{ link }} />
    </span>
  )
}

const NotStarted = ({ reason }: { reason: string }) => (
  <p role="alert" className="flex gap-3 rounded-card border border-bad/30 bg-bad-wash p-4 text-sm text-bad">
    <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
    <span>{texts.one.notStarted(reason)}</span>
  </p>
)

function CampaignDates({ campaign }: { campaign: Campaign }) {
  const { status, scheduledFor, sentAt, finishedAt, updatedAt, timing } = campaign
  if (sentAt && finishedAt) {
    if (Date.parse(finishedAt) - Date.parse(sentAt) < MINUTE_MS) return <Moment at={sentAt} />
    const elements = { start: () => <Moment at={sentAt} />, end: () => <Moment at={finishedAt} /> }
    return <RichText text={texts.one.startedAndEnded} elements={elements} />
  }
  if (sentAt) return <RichText text={texts.one.started} elements={{ time: () => <Moment at={sentAt} /> }} />
  if (status === 'SCHEDULED')
    return (
      <>
        <RichText text={texts.one.startsAt} elements={{ time: () => <Moment at={scheduledFor} /> }} />
        {timing && `. ${timingTexts.describe(timing)}`}
      </>
    )
  if (status === 'CANCELLED')
    return <RichText text={texts.one.canceled} elements={{ time: () => <Moment at={finishedAt ?? updatedAt} /> }} />
  if (status === 'DRAFT')
    return <RichText text={texts.one.updated} elements={{ time: () => <Moment at={updatedAt} relative /> }} />
  return null
}

const isEditable = ({ status }: Campaign) => status === 'DRAFT' || status === 'SCHEDULED'

/** The audience, and how many contacts it includes now. */
const AudienceCard = ({ campaign }: { campaign: Campaign }) => (
  <Card title={texts.one.audience} lead={<AudienceName campaign={campaign} />}>
    <AudienceCount audience={draftOf(campaign)} type={campaign.type} />
  </Card>
)
