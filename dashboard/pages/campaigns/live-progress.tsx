/** How far a campaign is: the bar, how fast it goes, and how long it will take. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { Card } from '../../parts/page.tsx'
import { Progress } from '../../parts/progress.tsx'
import { useApi } from '../../project.ts'
import { rateOf, type Sample, timeLeftWords, withSample } from './pace.ts'

const ASK_EVERY_MS = 1_000

export const statsKey = (projectId: string, id: string) => [projectId, 'campaigns', id, 'stats']

export function LiveProgress({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data: stats, dataUpdatedAt } = useQuery({
    queryKey: statsKey(projectId, campaign.id),
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
    refetchInterval: ASK_EVERY_MS,
  })
  const [samples, setSamples] = useState<Sample[]>([])
  const total = stats?.totalRecipients ?? campaign.totalRecipients
  const left = stats?.pendingCount ?? total
  const done = total - left
  useEffect(() => {
    if (dataUpdatedAt) setSamples((now) => withSample(now, { atMs: dataUpdatedAt, done }))
  }, [dataUpdatedAt, done])
  const rate = campaign.pausedAt ? undefined : rateOf(samples)
  return (
    <Card>
      <Progress
        percent={total === 0 ? 0 : (done / total) * 100}
        label={
          campaign.pausedAt
            ? `Paused at ${done.toLocaleString()} of ${total.toLocaleString()}`
            : `${done.toLocaleString()} of ${total.toLocaleString()} done`
        }
      />
      <p className="figures mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm text-soft">
        {campaign.pausedAt ? (
          'Nothing leaves until you resume.'
        ) : (
          <>
            <span>
              Rate:{' '}
              <span className="text-ink">
                {rate === undefined ? '…' : `${Math.round(rate).toLocaleString()} a second`}
              </span>
            </span>
            <span>
              Time left: <span className="text-ink">{timeLeftWords(left, rate)}</span>
            </span>
          </>
        )}
      </p>
    </Card>
  )
}
