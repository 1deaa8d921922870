/** How mailbox providers see the project: bounces and complaints against the lines that matter. */
import { useQuery } from '@tanstack/react-query'
import { person, type Schemas, unwrap } from '../../api.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useProject } from '../../project.ts'

type Security = Schemas['Security']

const STATES: Record<Security['status'], [Tone, string, string]> = {
  healthy: ['good', 'Healthy', 'Few emails bounce, and hardly anybody complains.'],
  warning: ['warn', 'Warning', 'Mail from you starts to look like spam. Write only to people who asked for it.'],
  critical: ['bad', 'Critical', 'Mailbox providers will refuse your mail. Stop bulk mail and clean your lists.'],
}

const percent = (rate: number, digits = 2) => `${Number((rate * 100).toFixed(digits)).toLocaleString()} %`

export function SecurityTab() {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'security'],
    queryFn: () => unwrap(person.projects.security(project.id)),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const [tone, words, advice] = STATES[data.status]
  const { minimumEmails, bounceRate, complaintRate } = data.thresholds
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          Reputation <Badge tone={tone}>{words}</Badge>
        </span>
      }
      lead={
        data.isDisabled ? `Sending is disabled: ${data.disabledReason ?? 'ask whoever runs this service'}.` : advice
      }
      flush
    >
      <Table
        label="Bounces and complaints"
        head={['', 'Last 7 days', 'All time', { wide: 'Warning' }, { wide: 'Critical' }]}
      >
        <Row>
          <Cell className="w-full">Emails sent</Cell>
          <Cell>{data.sevenDay.sent.toLocaleString()}</Cell>
          <Cell>{data.allTime.sent.toLocaleString()}</Cell>
          <Cell wide />
          <Cell wide />
        </Row>
        <RateRow words="Bounced for good" security={data} rate="bounceRate" lines={bounceRate} />
        <RateRow words="Marked as spam" security={data} rate="complaintRate" lines={complaintRate} />
      </Table>
      <p className="border-t border-line px-5 py-3.5 text-sm text-soft">
        Nothing is judged before {minimumEmails.toLocaleString()} emails are sent.
      </p>
    </Card>
  )
}

interface RateProps {
  words: string
  security: Security
  rate: 'bounceRate' | 'complaintRate'
  lines: { warning: number; critical: number }
}

const RateRow = ({ words, security, rate, lines }: RateProps) => (
  <Row>
    <Cell>{words}</Cell>
    {[security.sevenDay, security.allTime].map((span, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the two spans do not move.
      <Cell key={i} className={`whitespace-nowrap ${span[rate] >= lines.warning ? 'font-medium text-bad' : ''}`}>
        {percent(span[rate])}
      </Cell>
    ))}
    <Cell wide className="text-soft">
      {percent(lines.warning)}
    </Cell>
    <Cell wide className="text-soft">
      {percent(lines.critical)}
    </Cell>
  </Row>
)
