/** The statistics of a campaign. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../api.ts'
import { Figure, Figures } from '../../parts/figures.tsx'
import { formatNumber, formatPercent } from '../../parts/format.ts'
import { useApi } from '../../project.ts'
import { statsKey } from './live-progress.tsx'
import { texts } from './texts.ts'

export function Stats({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [...statsKey(projectId, campaign.id)],
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
    refetchInterval: campaign.status === 'SENDING' ? 1_000 : 10_000,
  })
  const count = (name: 'sentCount' | 'deliveredCount' | 'openedCount' | 'clickedCount' | 'bouncedCount') =>
    data && formatNumber(data[name])
  const share = (name: 'deliveryRate' | 'openRate' | 'clickRate' | 'bounceRate') => data && formatPercent(data[name])
  return (
    <section aria-label={texts.stats.label}>
      <Figures>
        <Figure
          name={texts.stats.sent}
          value={count('sentCount')}
          more={texts.stats.ofTotal(campaign.totalRecipients)}
        />
        <Figure name={texts.stats.delivered} value={count('deliveredCount')} more={share('deliveryRate')} />
        <Figure name={texts.stats.opened} value={count('openedCount')} more={share('openRate')} />
        <Figure name={texts.stats.clicked} value={count('clickedCount')} more={share('clickRate')} />
        <Figure name={texts.stats.bounced} value={count('bouncedCount')} more={share('bounceRate')} />
        <Figure
          name={texts.stats.unsubscribed}
          value={data && formatNumber(data.unsubscribedCount)}
          more={data && texts.stats.complaints(data.complainedCount)}
        />
      </Figures>
    </section>
  )
}
