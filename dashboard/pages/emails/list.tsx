/** The email list. With captured mail it serves as the inbox of every recipient. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { unwrap, useConfig } from '../../api.ts'
import { concernsEmails, useLiveQueries } from '../../live.ts'
import { inProjectPath } from '../../navigation.ts'
import { EMAIL_STATUSES, EmailStatus, statusLabel } from '../../parts/badge.tsx'
import { ListEmpty } from '../../parts/empty-state.tsx'
import { filterOptions, List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useApi, useSearchState } from '../../project.ts'
import { texts } from './texts.ts'

export function EmailsPage() {
  const { projectId, api } = useApi()
  const captured = useConfig()?.features.transport === 'capture'
  const [{ search = '', status = '', cursor }] = useSearchState<'search' | 'status' | 'cursor'>()
  const query = { limit: 50, cursor, search: search || undefined, status: (status || undefined) as never }
  const list = useQuery({
    queryKey: [projectId, 'emails', query],
    queryFn: () => unwrap(api.emails.list(query)),
    placeholderData: keepPreviousData,
  })
  useLiveQueries([[projectId, 'emails']], concernsEmails, !cursor)
  const filtered = search !== '' || status !== ''
  return (
    <Page title={texts.title} lead={captured ? texts.leadCaptured : texts.lead}>
      <List
        list={list}
        label={texts.title}
        head={[texts.column.email, { wide: texts.column.source }, texts.column.status, { wide: texts.column.date }]}
        row={(email) => (
          <Row>
            <NameCell
              to={inProjectPath(projectId, `emails/${email.id}`)}
              more={email.to}
              onPhone={<Moment at={email.createdAt} relative />}
            >
              {email.subject || sharedTexts.noSubject}
            </NameCell>
            <Cell wide className="text-soft">
              {statusLabel(email.sourceType)}
            </Cell>
            <Cell>
              <EmailStatus status={email.status} />
            </Cell>
            <MomentCell wide at={email.createdAt} />
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.status} name="status" options={filterOptions(texts.anyStatus, EMAIL_STATUSES)} />
          </>
        }
        empty={
          <ListEmpty
            icon={MailCheck}
            filtered={filtered}
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
