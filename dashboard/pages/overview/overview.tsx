/** Key numbers with their change, what is running, problems, recent emails, and the steps that are left to set up. */
import { MailCheck } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { useApi, useProject } from '../../data/project.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, MomentCell, NameCell, Row, Table } from '../../lists/table.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { EmailStatus } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Alerts } from './alerts.tsx'
import { Checklist, useSetupState } from './checklist.tsx'
import { EmailStats } from './email-stats.tsx'
import { Running } from './running.tsx'
import { texts } from './texts.ts'
import { useRecentEmails } from './use-recent-emails.ts'

export function OverviewPage() {
  const project = useProject()
  const isNew = useIsNew()
  return (
    <Page title={texts.title} lead={isNew ? texts.leadNew : texts.lead(project.name)}>
      <div className="space-y-6">
        <Alerts />
        <Checklist isNew={isNew ?? false} />
        {isNew === false && (
          <>
            <EmailStats />
            <Running />
            <RecentEmails />
          </>
        )}
      </div>
    </Page>
  )
}

/** Whether there is nothing to show yet; undefined while this is loaded. */
function useIsNew(): boolean | undefined {
  const { data: state, isPending } = useSetupState()
  if (isPending) return undefined
  return state !== undefined && state.emailsSent === 0 && state.contactCount === 0 && !state.hasEnabledWorkflow
}

function RecentEmails() {
  const { projectId } = useApi()
  const { data, error, refetch } = useRecentEmails()
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <Card
      title={texts.recent.title}
      flush
      actions={
        data?.data.length !== 0 && <LinkButton to={projectPage(projectId, 'emails')}>{texts.recent.viewAll}</LinkButton>
      }
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
              <NameCell to={projectPage(projectId, 'emails/$id', { id: email.id })} more={email.to}>
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
