/** The ledger of emails; with captured mail it is the inbox of everyone one wrote to. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { unwrap, useConfig } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus, inWords } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'

const STATUSES = 'PENDING SENDING SENT DELIVERED OPENED CLICKED BOUNCED COMPLAINED FAILED CANCELLED RECEIVED'.split(' ')
const STATUS_OPTIONS = { '': 'Any status', ...Object.fromEntries(STATUSES.map((status) => [status, inWords(status)])) }

export function EmailsPage() {
  const { projectId, api } = useApi()
  const captured = useConfig()?.features.transport === 'capture'
  const [{ search = '', status = '', cursor }, change] = useSearchState<'search' | 'status' | 'cursor'>()
  const query = { limit: 50, cursor, search: search || undefined, status: (status || undefined) as never }
  const { data, error, refetch } = useQuery({
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
      <Card flush>
        <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3">
          <SearchBox
            label="Search emails"
            value={search}
            onSearch={(text) => change({ search: text, cursor: undefined }, { replace: true })}
          />
          <div className="w-44">
            <Select
              label="Status"
              hideLabel
              value={status}
              options={STATUS_OPTIONS}
              onChange={(event) => change({ status: event.target.value, cursor: undefined })}
            />
          </div>
        </div>
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data?.data.length === 0 && (
          <Empty icon={MailCheck} title={filtered ? 'No email matches' : 'No email yet'}>
            {filtered
              ? 'Try another search or status.'
              : 'Emails you send through the API, from templates, campaigns and workflows appear here at once.'}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table label="Emails" head={['To', 'Subject', 'Source', 'Status', 'When']}>
            {data.data.map((email) => (
              <Row key={email.id}>
                <Cell className="max-w-56 truncate">{email.to}</Cell>
                <Cell className="w-full min-w-48">
                  <Link to={inProjectPath(projectId, `emails/${email.id}`)} className="font-medium hover:underline">
                    {email.subject || '(no subject)'}
                  </Link>
                </Cell>
                <Cell className="text-soft">{inWords(email.sourceType)}</Cell>
                <Cell>
                  <EmailStatus status={email.status} />
                </Cell>
                <Cell className="text-soft">
                  <Moment at={email.createdAt} relative />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} />
      </Card>
    </Page>
  )
}
