/** The progress of a sending campaign, with its rate and the time left. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Progress } from '../../../lists/progress.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { texts } from '../texts.ts'
import { waitOf } from '../timing/intervals.ts'
import { rateOf, type Sample, secondsLeft, withSample } from './sending-rate.ts'

/** The rate is measured between samples, also while no event arrives. */
const SAMPLE_MS = 2_000

export const statsKey = (projectId: string, id: string) => [projectId, 'campaigns', id, 'stats']

export function LiveProgress({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data: stats, dataUpdatedAt } = useQuery({
    queryKey: statsKey(projectId, campaign.id),
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
    refetchInterval: SAMPLE_MS,
  })
  const [samples, setSamples] = useState<Sample[]>([])
  const total = stats?.totalRecipients ?? campaign.totalRecipients
  const left = stats?.pendingCount ?? total
  const done = total - left
  useEffect(() => {
    if (dataUpdatedAt) setSamples((now) => withSample(now, { atMs: dataUpdatedAt, done }))
  }, [dataUpdatedAt, done])
  const rate = campaign.pausedAt ? undefined : rateOf(samples)
  const { waiting, waves = [] } = campaign
  const wait = stats && waitOf(waves, done, new Date())
  return (
    <Card>
      <Progress
        percent={total === 0 ? 0 : (done / total) * 100}
        label={campaign.pausedAt ? texts.live.paused(done, total) : texts.live.progress(done, total)}
      />
      <p className="figures mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm text-soft">
        {campaign.pausedAt ? (
          texts.live.pausedHint
        ) : waiting ? (
          <span>
            <RichText
              text={texts.live.waiting[waiting.reason]}
              elements={{ until: () => <Moment at={waiting.until} /> }}
            />
          </span>
        ) : wait === 'winner' ? (
          texts.live.winner
        ) : wait ? (
          <span>
            <RichText text={texts.live.nextWave} elements={{ until: () => <Moment at={wait.at} /> }} />
          </span>
        ) : (
          <>
            <span>{texts.live.rate(rate)}</span>
            <span>{texts.live.timeLeft(secondsLeft(left, rate))}</span>
          </>
        )}
      </p>
    </Card>
  )
}
