/** One campaign: what it says and to whom; while it goes out, how far it is; afterwards, how it fared. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { MailPreview } from '../../parts/mail-preview.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Opened } from '../../parts/opened.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useApi, useId } from '../../project.ts'
import { Acts } from './acts.tsx'
import { AudienceCount } from './audience.tsx'
import { draftOf } from './draft.ts'
import { LiveProgress } from './live-progress.tsx'
import { Recipients } from './recipients.tsx'
import { Stats } from './stats.tsx'
import { CampaignStatus } from './status.tsx'

type Campaign = Schemas['Campaign']

const ASK_EVERY_MS = 1_000
const SOON_MS = 60_000

/** While it goes out, or is about to. */
function askAgain(campaign: Campaign | undefined): number | false {
  if (campaign?.status === 'SENDING') return ASK_EVERY_MS
  const isSoon = campaign?.status === 'SCHEDULED' && Date.parse(campaign.scheduledFor ?? '') < Date.now() + SOON_MS
  return isSoon ? 2 * ASK_EVERY_MS : false
}

export function CampaignPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const asked = useQuery({
    queryKey: [projectId, 'campaigns', id],
    queryFn: () => unwrap(api.campaigns.get(id)),
    refetchInterval: ({ state }) => askAgain(state.data),
  })
  const back = { to: inProjectPath(projectId, 'campaigns'), words: 'Campaigns' }
  return (
    <Opened asked={asked} title="Campaign" back={back}>
      {(campaign) => (
        <Page title={campaign.name} back={back} actions={<Acts campaign={campaign} />}>
          <div className="space-y-6">
            <When campaign={campaign} />
            {campaign.status === 'SENDING' && <LiveProgress campaign={campaign} />}
            {campaign.sentAt !== null && <Stats campaign={campaign} />}
            {campaign.sentAt !== null && <Recipients campaign={campaign} />}
            <Letter campaign={campaign} />
          </div>
        </Page>
      )}
    </Opened>
  )
}

function When({ campaign }: { campaign: Campaign }) {
  const { status, heldReason } = campaign
  return (
    <>
      <p className="-mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
        <CampaignStatus campaign={campaign} />
        {status === 'SCHEDULED' && (
          <>
            for <Moment at={campaign.scheduledFor} />
          </>
        )}
        {campaign.sentAt && (
          <>
            started <Moment at={campaign.sentAt} />
          </>
        )}
        {campaign.finishedAt && (
          <>
            · ended <Moment at={campaign.finishedAt} />
          </>
        )}
        {status === 'DRAFT' && (
          <>
            changed <Moment at={campaign.updatedAt} relative />
          </>
        )}
      </p>
      {heldReason && (
        <p role="alert" className="flex gap-3 rounded-card border border-bad/30 bg-bad-wash p-4 text-sm text-bad">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span>Held back: {heldReason}</span>
        </p>
      )}
    </>
  )
}

const AUDIENCES: Record<Campaign['audienceType'], string> = {
  ALL: 'Everyone',
  SEGMENT: 'A segment',
  FILTERED: 'Whoever matches a condition',
}

function Letter({ campaign }: { campaign: Campaign }) {
  const { projectId, api } = useApi()
  const { subject, body, from, fromName, replyTo } = campaign
  const { data: segment } = useQuery({
    queryKey: [projectId, 'segments', campaign.segmentId],
    enabled: campaign.audienceType === 'SEGMENT' && campaign.segmentId !== null,
    queryFn: () => unwrap(api.segments.get(campaign.segmentId!)),
  })
  const { data: rendered, error } = useQuery({
    queryKey: [projectId, 'preview', subject, body, undefined],
    queryFn: () => unwrap(api.templates.preview({ subject, body })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card flush title="The letter" lead="As a made-up contact would get it.">
      <dl className="grid gap-x-6 gap-y-1.5 border-b border-line px-5 pt-1 pb-4 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-soft">Subject</dt>
        <dd className="font-medium">{subject}</dd>
        <dt className="text-soft">From</dt>
        <dd>
          {fromName ? `${fromName} <${from}>` : from}
          {replyTo && <span className="text-soft">, replies to {replyTo}</span>}
        </dd>
        <dt className="text-soft">To</dt>
        <dd>{segment ? `The segment ${segment.name}` : AUDIENCES[campaign.audienceType]}</dd>
      </dl>
      {(campaign.status === 'DRAFT' || campaign.status === 'SCHEDULED') && (
        <div className="border-b border-line px-5 py-3">
          <AudienceCount audience={draftOf(campaign)} type={campaign.type} />
        </div>
      )}
      {error && (
        <div className="p-5">
          <Problem error={error} />
        </div>
      )}
      {rendered && <MailPreview html={rendered.html} title="The letter" trusted className="h-96" />}
    </Card>
  )
}
