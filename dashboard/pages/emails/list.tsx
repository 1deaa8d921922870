/** The email list. With captured mail it serves as the inbox of every recipient. */
import type { Query } from '@posthorn/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { CodeXml, MailCheck } from 'lucide-react'
import { useMemo } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { concernsEmails, useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { filterOptions, List, ListFilter, ListSearch } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { useIsCaptured } from '../../mail/captured-notice.tsx'
import { Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge, EMAIL_STATUSES, EmailStatus, statusLabel } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { TestEmailButton, useTestEmail } from '../overview/test-email.tsx'
import { DateFilter } from './date-filter.tsx'
import { dateRangeOf } from './date-range.ts'
import { ScheduledMenu } from './scheduled.tsx'
import { TagFilter } from './tag-filter.tsx'
import { texts } from './texts.ts'

const SOURCES = ['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND', 'TEST']
/** The API doesn't count more. */
const COUNTED_MAX = 10_000

/** With a search or a source, older emails that match may not be counted yet. */
function totalOf({ total, hasMore }: { total: number; hasMore: boolean }, isSearch: boolean): string | undefined {
  if (total >= COUNTED_MAX) return texts.totalOrMore(COUNTED_MAX)
  return total === 0 || (isSearch && hasMore) ? undefined : texts.total(total)
}

type EmailQuery = Query<'GET /emails'>

export function EmailsPage() {
  const { projectId, api } = useApi()
  const captured = useIsCaptured()
  const [{ search = '', status = '', source = '', tag = '', time, from, to, cursor }] = useSearchState<
    'search' | 'status' | 'source' | 'tag' | 'time' | 'from' | 'to' | 'cursor'
  >()
  const range = useMemo(() => dateRangeOf({ time, from, to }, new Date()), [time, from, to])
  const filter = {
    limit: 50,
    search: search || undefined,
    status: (status || undefined) as EmailQuery['status'],
    sourceType: (source || undefined) as EmailQuery['sourceType'],
    tag: tag || undefined,
    ...range,
  }
  const query = { ...filter, cursor }
  const list = useQuery({
    queryKey: [projectId, 'emails', query],
    queryFn: () => unwrap(api.emails.list(query)),
    placeholderData: keepPreviousData,
  })
  useLiveQueries([[projectId, 'emails']], concernsEmails, !cursor)
  const queries = useQueryClient()
  // Only the first page is counted.
  const first = cursor ? queries.getQueryData<typeof list.data>([projectId, 'emails', filter]) : list.data
  const filtered = search !== '' || status !== '' || source !== '' || tag !== '' || Object.keys(range).length > 0
  return (
    <Page title={texts.title} lead={captured ? texts.leadCaptured : texts.lead}>
      <List
        list={list}
        label={texts.title}
        total={first && totalOf(first, search !== '' || source !== '')}
        head={[
          texts.column.email,
          { wide: texts.column.source },
          texts.column.status,
          { wide: texts.column.date },
          ACTIONS,
        ]}
        row={(email) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'emails/$id', { id: email.id })}
              more={email.to}
              onPhone={<Moment at={email.createdAt} relative />}
            >
              {email.subject || sharedTexts.noSubject}
            </NameCell>
            <Cell wide className="text-soft">
              {statusLabel('sources', email.sourceType)}
            </Cell>
            <Cell>
              <span className="flex flex-wrap gap-1.5">
                <EmailStatus status={email.status} />
                {email.test && <Badge>{texts.test}</Badge>}
              </span>
            </Cell>
            <DateCell email={email} />
            <Cell>{email.status === 'SCHEDULED' && <ScheduledMenu email={email} />}</Cell>
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter
              label={texts.status}
              name="status"
              options={filterOptions(texts.anyStatus, 'emails', EMAIL_STATUSES)}
            />
            <ListFilter
              label={texts.source}
              name="source"
              options={filterOptions(texts.anySource, 'sources', SOURCES)}
            />
            <DateFilter />
            <TagFilter />
          </>
        }
        empty={
          <ListEmpty
            icon={MailCheck}
            filtered={filtered}
            actions={<FirstEmailActions />}
            texts={
              list.data?.hasMore
                ? { ...texts, noMatchTitle: texts.noRecentMatchTitle, noMatch: texts.noRecentMatch }
                : texts
            }
          />
        }
      />
    </Page>
  )
}

type Listed = Schemas['Email']

/** For a scheduled email, the time at which it will be sent. */
function DateCell({ email }: { email: Listed }) {
  if (email.status !== 'SCHEDULED') return <MomentCell wide at={email.createdAt} />
  return (
    <Cell wide className="text-soft">
      <RichText text={texts.one.scheduledFor} elements={{ time: () => <Moment at={email.scheduledFor} /> }} />
    </Cell>
  )
}

/** The test email appears in the list as soon as it is accepted. */
function FirstEmailActions() {
  const { projectId } = useApi()
  const test = useTestEmail()
  return (
    <>
      <TestEmailButton test={test} isPrimary />
      <LinkButton to={projectPage(projectId, 'settings', { tab: 'keys' })}>
        <CodeXml aria-hidden /> {texts.viewExamples}
      </LinkButton>
      {test.problem && (
        <div className="w-full text-start">
          <Problem error={test.problem} />
        </div>
      )}
    </>
  )
}
