/** The statistics of a campaign. Each share is of the emails it is a part of, and none is rounded to 0% or 100%. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { Figure, SevenFigures } from '../../../figures/figures.tsx'
import { formatCurrency, formatNumber, formatShare } from '../../../figures/format.ts'
import { countsOfCampaign, emailShares, reachedOf } from '../../../figures/rates.ts'
import { countTexts } from '../../../shell/texts.ts'
import { texts } from '../texts.ts'
import { statsKey } from './live-progress.tsx'
import { useReport } from './report.tsx'

const formatRevenue = (revenue: Record<string, number>): string =>
  Object.entries(revenue)
    .map(([currency, total]) => formatCurrency(total, currency))
    .join(' + ')

type Share = 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'

export function Stats({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [...statsKey(projectId, campaign.id)],
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
  })
  const report = useReport(campaign)
  const counts = data && countsOfCampaign(data)
  const shares = counts && emailShares(counts)
  const share = (name: Share) => (
    <Figure
      name={texts.stats[name]}
      hint={countTexts[name]}
      value={counts && formatNumber(counts[name])}
      more={shares && formatShare(...shares[name])}
    />
  )
  return (
    <section aria-label={texts.stats.label}>
      <SevenFigures>
        <Figure
          name={texts.stats.sent}
          hint={countTexts.sent}
          value={counts && formatNumber(counts.sent)}
          more={data && formatShare(data.sentCount, data.totalRecipients)}
        />
        {share('delivered')}
        {share('opened')}
        {share('clicked')}
        {share('bounced')}
        <Figure
          name={texts.stats.unsubscribed}
          hint={countTexts.unsubscribed}
          value={data && formatNumber(data.unsubscribedCount)}
          more={data && formatShare(data.unsubscribedCount, reachedOf(countsOfCampaign(data)))}
        />
        {share('complained')}
      </SevenFigures>
      {data && (data.convertedCount > 0 || data.skippedCount > 0) && (
        <ul className="figures mt-3 space-y-1 text-sm text-soft">
          {data.convertedCount > 0 && (
            <li>
              {texts.stats.conversions(
                data.convertedCount,
                formatShare(data.convertedCount, reachedOf(countsOfCampaign(data))),
                formatRevenue(data.revenue),
              )}
            </li>
          )}
          {report.data?.skipped.map(({ reason, count }) => (
            <li key={reason}>{texts.stats.skipped[reason](count)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
