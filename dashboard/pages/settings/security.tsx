/** The reputation of the project: bounce and complaint rates against their thresholds. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap, userApi } from '../../api.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { formatNumber, formatPercent } from '../../parts/format.ts'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { highRates, ratedPeriod } from '../../parts/reputation.ts'
import { Cell, NumberCell, Row, Table } from '../../parts/table.tsx'
import { useProject } from '../../project.ts'
import { texts } from './texts.ts'

type Security = Schemas['Security']

const TONES: Record<Security['status'], Tone> = { healthy: 'good', warning: 'warn', critical: 'bad' }
const RATE_DIGITS = 2

const { column } = texts.security

export function SecurityTab() {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'security'],
    queryFn: () => unwrap(userApi.projects.security(project.id)),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { label, advice } = texts.security.statuses[data.status]
  const { minimumEmails, bounceRate, complaintRate } = data.thresholds
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          {texts.security.title} <Badge tone={TONES[data.status]}>{label}</Badge>
        </span>
      }
      lead={data.isDisabled ? texts.security.disabled(data.disabledReason) : advice}
      flush
    >
      <Table
        label={texts.security.table}
        head={[
          column.metric,
          { number: column.week },
          { number: column.allTime },
          { number: column.warning, onlyWide: true },
          { number: column.critical, onlyWide: true },
        ]}
      >
        <Row>
          <Cell className="w-full">{texts.security.sent}</Cell>
          <NumberCell>{formatNumber(data.sevenDay.sent)}</NumberCell>
          <NumberCell>{formatNumber(data.allTime.sent)}</NumberCell>
          <Cell wide />
          <Cell wide />
        </Row>
        <RateRow kind="bounces" security={data} thresholds={bounceRate} />
        <RateRow kind="complaints" security={data} thresholds={complaintRate} />
      </Table>
      {!ratedPeriod(data) && (
        <p className="border-t border-line px-5 py-3.5 text-sm text-soft">{texts.security.minimum(minimumEmails)}</p>
      )}
    </Card>
  )
}

interface RateProps {
  kind: 'bounces' | 'complaints'
  security: Security
  thresholds: { warning: number; critical: number }
}

function RateRow({ kind, security, thresholds }: RateProps) {
  const high = highRates(security).find((one) => one.kind === kind)?.period
  return (
    <Row>
      <Cell>{texts.security[kind]}</Cell>
      {(['sevenDay', 'allTime'] as const).map((period) => {
        const counts = security[period]
        const rate = kind === 'bounces' ? counts.bounceRate : counts.complaintRate
        return (
          <NumberCell key={period}>
            <span className={high === period ? 'font-medium text-bad' : ''}>{formatPercent(rate, RATE_DIGITS)}</span>
            <span className="block text-[0.8125rem] text-soft">
              {texts.security.countOf(counts[kind], counts.sent)}
            </span>
          </NumberCell>
        )
      })}
      <NumberCell wide>{formatPercent(thresholds.warning, RATE_DIGITS)}</NumberCell>
      <NumberCell wide>{formatPercent(thresholds.critical, RATE_DIGITS)}</NumberCell>
    </Row>
  )
}
