/** Key numbers with their change, what is running, problems, recent emails, and the steps that are left to set up. */
import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { unwrap } from '../../api.ts'
import { concernsEmails, useLiveQueries } from '../../live.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, MomentCell, NameCell, Row, Table } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useApi, useProject } from '../../project.ts'
import { Alerts } from './alerts.tsx'
import { Checklist } from './checklist.tsx'
import { EmailStats } from './email-stats.tsx'
import { Running } from './running.tsx'
import { texts } from './texts.ts'

export function OverviewPage() {
  const project = useProject()
  return (
    <Page title={texts.title} lead={texts.lead(project.name)}>
      <div className="space-y-6">
        <Alerts />
        <Checklist />
        <EmailStats />
        <Running />
        <RecentEmails />
      </div>
    </Page>
  )
}

function RecentEmails() {
  const { projectId, api } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'emails', 'recent'],
    queryFn: () => unwrap(api.emails.list({ limit: 8 })),
  })
  useLiveQueries([[projectId, 'emails', 'recent']], concernsEmails)
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
