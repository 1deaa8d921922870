/** The email of a campaign as its recipients get it or, with an experiment, one of its variants. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { countsOfCampaign, reachedOf } from '../../../figures/rates.ts'
import { Problem } from '../../../lists/problem.tsx'
import { MailPreview } from '../../../mail/mail-preview.tsx'
import { Card } from '../../../shell/page.tsx'
import { Select } from '../../../ui/field.tsx'
import { useExperiment } from '../experiment/results.tsx'
import { experimentTexts } from '../experiment/texts.ts'
import { texts } from '../texts.ts'
import { withLinkCounts } from './link-counts.ts'
import { useReport } from './report.tsx'

type Campaign = Schemas['Campaign']

export function AudienceName({ campaign: { audienceType, segmentId } }: { campaign: Campaign }) {
  const { projectId, api } = useApi()
  const { data: segment } = useQuery({
    queryKey: [projectId, 'segments', segmentId],
    enabled: audienceType === 'SEGMENT' && segmentId !== null,
    queryFn: () => unwrap(api.segments.get(segmentId!)),
  })
  return segment ? texts.one.segment(segment.name) : texts.one.audiences[audienceType]
}

/** At first, the winner of an experiment or, before it is chosen, its first variant. */
function useVariant(campaign: Campaign) {
  const experiment = useExperiment(campaign)
  const [chosen, setChosen] = useState<string>()
  const variants = experiment?.variants ?? []
  const name = chosen ?? experiment?.winner ?? variants[0]?.name
  return { names: variants.map((one) => one.name), variant: variants.find((one) => one.name === name), setChosen }
}

export function Content({ campaign }: { campaign: Campaign }) {
  const { projectId, api } = useApi()
  const { names, variant, setChosen } = useVariant(campaign)
  const { type, replyTo } = campaign
  const subject = variant?.subject ?? campaign.subject
  const body = variant?.body ?? campaign.body
  const from = variant?.from ?? campaign.from
  const fromName = variant?.fromName ?? campaign.fromName
  const { data: rendered, error } = useQuery({
    queryKey: [projectId, 'preview', subject, body, type, undefined],
    queryFn: () => unwrap(api.templates.preview({ subject, body, type })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: report } = useReport(campaign)
  const links = report?.links
  return (
    <Card
      flush
      title={texts.one.content}
      lead={links && links.length > 0 ? texts.one.contentLeadWithClicks : texts.one.contentLead}
      actions={
        variant && (
          <Select
            label={experimentTexts.results.preview}
            hideLabel
            value={variant.name}
            options={Object.fromEntries(names.map((name) => [name, experimentTexts.setup.variant(name)]))}
            onChange={(event) => setChosen(event.target.value)}
          />
        )
      }
    >
      <dl className="grid gap-x-6 gap-y-1.5 border-b border-line px-5 pt-1 pb-4 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-soft">{texts.one.subject}</dt>
        <dd className="font-medium">{rendered?.subject ?? subject}</dd>
        <dt className="text-soft">{texts.one.from}</dt>
        <dd>{fromName ? `${fromName} <${from}>` : from}</dd>
        {replyTo && (
          <>
            <dt className="text-soft">{texts.one.replyTo}</dt>
            <dd>{replyTo}</dd>
          </>
        )}
        {campaign.sentAt !== null && (
          <>
            <dt className="text-soft">{texts.one.audience}</dt>
            <dd>
              <AudienceName campaign={campaign} />
            </dd>
          </>
        )}
      </dl>
      {error && (
        <div className="p-5">
          <Problem error={error} />
        </div>
      )}
      {rendered && (
        <div className="overflow-hidden rounded-b-card">
          <MailPreview
            html={links ? withLinkCounts(rendered.html, links, reachedOf(countsOfCampaign(campaign))) : rendered.html}
            title={texts.one.preview}
            trusted
          />
        </div>
      )}
    </Card>
  )
}
