/** How a campaign fared, in numbers and shares. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../api.ts'
import { Figure, Figures } from '../../parts/figures.tsx'
import { useApi } from '../../project.ts'
import { statsKey } from './live-progress.tsx'

const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

export function Stats({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [...statsKey(projectId, campaign.id)],
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
    refetchInterval: campaign.status === 'SENDING' ? 1_000 : 10_000,
  })
  const count = (name: 'sentCount' | 'deliveredCount' | 'openedCount' | 'clickedCount' | 'bouncedCount') =>
    data?.[name].toLocaleString()
  const share = (name: 'deliveryRate' | 'openRate' | 'clickRate' | 'bounceRate') => data && SHARE.format(data[name])
  return (
    <section aria-label="Numbers">
      <Figures>
        <Figure name="Sent" value={count('sentCount')} more={`of ${campaign.totalRecipients.toLocaleString()}`} />
        <Figure name="Delivered" value={count('deliveredCount')} more={share('deliveryRate')} />
        <Figure name="Opened" value={count('openedCount')} more={share('openRate')} />
        <Figure name="Clicked" value={count('clickedCount')} more={share('clickRate')} />
        <Figure name="Bounced" value={count('bouncedCount')} more={share('bounceRate')} />
        <Figure
          name="Unsubscribed"
          value={data?.unsubscribedCount.toLocaleString()}
          more={data && `${data.complainedCount.toLocaleString()} complained`}
        />
      </Figures>
    </section>
  )
}
