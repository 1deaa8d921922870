/** A campaign beside earlier ones at the same age, because the opens of a young campaign say nothing about its end. */
import { useQuery } from '@tanstack/react-query'
import { projectPage } from '../../../addresses.ts'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { formatDuration, formatNumber, formatShare } from '../../../figures/format.ts'
import { countsOfCampaign, type EmailCounts, emailShares, ratio } from '../../../figures/rates.ts'
import { totalsOf } from '../../../figures/totals.ts'
import { Link } from '../../../links.tsx'
import { Cell, Row, Table } from '../../../lists/table.tsx'
import { Card } from '../../../shell/page.tsx'
import { texts } from '../texts.ts'

const T = texts.report

export function Comparison({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'comparison'],
    enabled: campaign.sentAt !== null,
    queryFn: () => unwrap(api.campaigns.compare(campaign.id)),
  })
  if (!data || data.ageSeconds === null || data.earlier.length === 0) return null
  const own = countsOfCampaign(campaign)
  const shares = emailShares(own)
  const mean = emailShares(totalsOf(data.earlier))
  const age = formatDuration(data.ageSeconds)
  return (
    <Card
      title={T.comparison(data.earlier.length)}
      lead={T.comparisonLead(
        age,
        ratio(shares.opened) - ratio(mean.opened),
        ratio(shares.clicked) - ratio(mean.clicked),
      )}
      flush
    >
      <Table
        label={T.comparison(data.earlier.length)}
        head={[
          texts.column.name,
          { number: texts.column.sent, onlyWide: true },
          { number: texts.column.openRate },
          { number: texts.column.clickRate },
          { number: T.bounceRate },
        ]}
      >
        <Row>
          <Numbers counts={own} strong>
            {T.thisCampaign}
          </Numbers>
        </Row>
        {data.earlier.map((other) => (
          <Row key={other.id}>
            <Numbers counts={other}>
              <Link to={projectPage(projectId, 'campaigns/$id', { id: other.id })} className="hover:underline">
                {other.name}
              </Link>
            </Numbers>
          </Row>
        ))}
      </Table>
    </Card>
  )
}

function Numbers({ counts, strong, children }: { counts: EmailCounts; strong?: true; children: React.ReactNode }) {
  const shares = emailShares(counts)
  const weight = strong ? 'font-medium' : ''
  return (
    <>
      <Cell className={`w-full ${weight}`}>{children}</Cell>
      <Cell wide className="text-end tabular-nums">
        {formatNumber(counts.sent)}
      </Cell>
      {(['opened', 'clicked', 'bounced'] as const).map((share) => (
        <Cell key={share} className={`text-end tabular-nums ${weight}`}>
          {formatShare(...shares[share])}
        </Cell>
      ))}
    </>
  )
}
