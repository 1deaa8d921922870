/** How the project fares, and what is left to set up. */
import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, MomentCell, NameCell, Row, Table } from '../../parts/table.tsx'
import { useApi, useProject } from '../../project.ts'
import { Checklist } from './checklist.tsx'
import { percentOf, totalsOf } from './totals.ts'

const Chart = lazy(() => import('../../parts/chart.tsx').then((module) => ({ default: module.Chart })))

export function OverviewPage() {
  const project = useProject()
  return (
    <Page title="Overview" lead={`What happened in ${project.name}.`}>
      <div className="space-y-6">
        <Checklist />
        <Mail />
        <RecentEmails />
      </div>
    </Page>
  )
}

function Mail() {
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
        <Figure name="Contacts" value={contacts?.toLocaleString()} />
        {totals && (
          <>
            <Figure name="Sent, 30 days" value={totals.sent.toLocaleString()} />
            <Figure name="Opened" value={percentOf(totals.opened, totals.delivered)} />
            <Figure name="Bounced" value={percentOf(totals.bounced, totals.sent)} />
          </>
        )}
      </Figures>
      {series && totals && totals.sent > 0 && (
        <Card title="Emails of the last 30 days" lead="By the day it happened, UTC.">
          <Suspense fallback={<Loading />}>
            <Chart
              label="Emails by day"
              days={series.map((day) => day.date)}
              lines={[
                { label: 'Sent', colour: '--accent', values: series.map((day) => day.sent) },
                { label: 'Delivered', colour: '--good', values: series.map((day) => day.delivered) },
                { label: 'Opened', colour: '--info', values: series.map((day) => day.opened) },
                { label: 'Bounced', colour: '--bad', values: series.map((day) => day.bounced) },
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
      title="Latest emails"
      flush
      actions={<LinkButton to={inProjectPath(projectId, 'emails')}>All emails</LinkButton>}
    >
      {!data && <Loading />}
      {data?.data.length === 0 && (
        <Empty icon={MailCheck} title="No email yet">
          Send the first one with the example above, or from a template.
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table label="Latest emails" head={['Email', 'Status', { wide: 'When' }]}>
          {data.data.map((email) => (
            <Row key={email.id}>
              <NameCell to={inProjectPath(projectId, `emails/${email.id}`)} more={email.to}>
                {email.subject || '(no subject)'}
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
