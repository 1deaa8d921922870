/** Key numbers, recent emails, and the steps that are left to set up. */
import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { formatNumber, formatShare } from '../../parts/format.ts'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, MomentCell, NameCell, Row, Table } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useApi, useProject } from '../../project.ts'
import { Checklist } from './checklist.tsx'
import { texts } from './texts.ts'
import { totalsOf } from './totals.ts'

const Chart = lazy(() => import('../../parts/chart.tsx').then((module) => ({ default: module.Chart })))

export function OverviewPage() {
  const project = useProject()
  return (
    <Page title={texts.title} lead={texts.lead(project.name)}>
      <div className="space-y-6">
        <Checklist />
        <EmailStats />
        <RecentEmails />
      </div>
    </Page>
  )
}

function EmailStats() {
  const { projectId, api } = useApi()
  const { data: contacts } = useQuery({
    queryKey: [projectId, 'contacts', 'count'],
    queryFn: async () => (await unwrap(api.contacts.list({ limit: 1 }))).total,
  })
  const { data: series } = useQuery({
    queryKey: [projectId, 'analytics', 'timeseries'],
    queryFn: async () => (await unwrap(api.analytics.timeseries())).data,
  })
  const totals = series && totalsOf(series)
  return (
    <>
      <Figures>
        <Figure name={texts.contacts} value={contacts === undefined ? undefined : formatNumber(contacts)} />
        {totals && (
          <>
            <Figure name={texts.sent} value={formatNumber(totals.sent)} />
            <Figure name={texts.openRate} value={formatShare(totals.opened, totals.delivered)} />
            <Figure name={texts.bounceRate} value={formatShare(totals.bounced, totals.sent)} />
          </>
        )}
      </Figures>
      {series && totals && totals.sent > 0 && (
        <Card title={texts.chart.title} lead={texts.chart.lead}>
          <Suspense fallback={<Loading />}>
            <Chart
              label={texts.chart.label}
              days={series.map((day) => day.date)}
              lines={[
                { label: texts.chart.sent, color: '--accent', values: series.map((day) => day.sent) },
                { label: texts.chart.delivered, color: '--good', values: series.map((day) => day.delivered) },
                { label: texts.chart.opened, color: '--info', values: series.map((day) => day.opened) },
                { label: texts.chart.bounced, color: '--bad', values: series.map((day) => day.bounced) },
              ]}
            />
          </Suspense>
        </Card>
      )}
    </>
  )
}

function RecentEmails() {
  const { projectId, api } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'emails', 'recent'],
    queryFn: () => unwrap(api.emails.list({ limit: 8 })),
    refetchInterval: 10_000,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <Card
      title={texts.recent.title}
      flush
      actions={<LinkButton to={inProjectPath(projectId, 'emails')}>{texts.recent.viewAll}</LinkButton>}
    >
      {!data && <Loading />}
      {data?.data.length === 0 && (
        <Empty icon={MailCheck} title={texts.recent.emptyTitle}>
          {texts.recent.empty}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table label={texts.recent.title} head={[texts.recent.email, texts.recent.status, { wide: texts.recent.date }]}>
          {data.data.map((email) => (
            <Row key={email.id}>
              <NameCell to={inProjectPath(projectId, `emails/${email.id}`)} more={email.to}>
                {email.subject || sharedTexts.noSubject}
              </NameCell>
              <Cell>
                <EmailStatus status={email.status} />
              </Cell>
              <MomentCell wide at={email.createdAt} />
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}
