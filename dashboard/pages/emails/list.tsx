/** The ledger of emails; with captured mail it is the inbox of everyone one wrote to. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { unwrap, useConfig } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EMAIL_STATUSES, EmailStatus, inWords } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { anyOrOne, List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'

export function EmailsPage() {
  const { projectId, api } = useApi()
  const captured = useConfig()?.features.transport === 'capture'
  const [{ search = '', status = '', cursor }] = useSearchState<'search' | 'status' | 'cursor'>()
  const query = { limit: 50, cursor, search: search || undefined, status: (status || undefined) as never }
  const list = useQuery({
    queryKey: [projectId, 'emails', query],
    queryFn: () => unwrap(api.emails.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: cursor ? false : 5_000,
  })
  const filtered = search !== '' || status !== ''
  return (
    <Page
      title="Emails"
      lead={
        captured
          ? 'Mail is captured: nothing leaves this machine. Read here what people would have got.'
          : 'Every email, newest first, and what became of it.'
      }
    >
      <List
        list={list}
        label="Emails"
        head={['Email', { wide: 'Source' }, 'Status', { wide: 'When' }]}
        row={(email) => (
          <Row>
            <NameCell
              to={inProjectPath(projectId, `emails/${email.id}`)}
              more={email.to}
              onPhone={<Moment at={email.createdAt} relative />}
            >
              {email.subject || '(no subject)'}
            </NameCell>
            <Cell wide className="text-soft">
              {inWords(email.sourceType)}
            </Cell>
            <Cell>
              <EmailStatus status={email.status} />
            </Cell>
            <MomentCell wide at={email.createdAt} />
          </Row>
        )}
        tools={
          <>
            <ListSearch label="Search emails" />
            <ListFilter label="Status" name="status" options={anyOrOne('Any status', EMAIL_STATUSES)} />
          </>
        }
        empty={
          <Empty icon={MailCheck} title={filtered ? 'No email matches' : 'No email yet'}>
            {filtered
              ? 'Try another search or status.'
              : 'Emails you send through the API, from templates, campaigns and workflows appear here at once.'}
          </Empty>
        }
      />
    </Page>
  )
}
