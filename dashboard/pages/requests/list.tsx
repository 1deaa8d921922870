/** What the API keys of the project requested, for the developers of apps that use them. */
import type { Query } from '@posthorn/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Logs } from 'lucide-react'
import { useMemo } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch, PickerFilter } from '../../lists/list.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { keyName } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DateFilter } from '../emails/date-filter.tsx'
import { dateRangeOf } from '../emails/date-range.ts'
import { RequestStatus } from './status.tsx'
import { texts } from './texts.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Filter = 'search' | 'method' | 'status' | 'key' | 'time' | 'from' | 'to' | 'cursor'

export function RequestsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', method, status, key, time, from, to, cursor }] = useSearchState<Filter>()
  const range = useMemo(() => dateRangeOf({ time, from, to }, new Date()), [time, from, to])
  const query: Query<'GET /requests'> = {
    limit: 50,
    cursor,
    path: search ? `/${search.replace(/^\//, '')}*` : undefined,
    method: METHODS.find((each) => each === method),
    status: status || undefined,
    keyId: key || undefined,
    ...range,
  }
  const list = useQuery({
    queryKey: [projectId, 'requests', query],
    queryFn: () => unwrap(api.requests.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: cursor ? false : 15_000,
  })
  const keys = useQuery({
    queryKey: [projectId, 'api-keys', 'all'],
    queryFn: () => unwrap(api.apiKeys.list({ limit: 100 })),
    retry: false,
  })
  const keyChoices = [
    ...Object.entries(texts.keys).map(([value, label]) => ({ value, label })),
    ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const filtered = Boolean(search || method || status || key) || Object.keys(range).length > 0
  const { column } = texts
  return (
    <Page title={texts.title} lead={texts.lead}>
      <List
        list={list}
        label={texts.title}
        head={[column.request, column.status, { wide: column.key }, { wide: column.duration }, { wide: column.time }]}
        row={(request) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'requests/$id', { id: request.id })}
              more={request.error?.message}
              onPhone={<Moment at={request.createdAt} relative />}
            >
              {request.method} {request.path}
            </NameCell>
            <Cell>
              <span className="flex flex-wrap gap-1.5">
                <RequestStatus request={request} />
                {request.ignoredFields.length > 0 && (
                  <Badge tone="warn">{texts.ignored(request.ignoredFields.length)}</Badge>
                )}
              </span>
            </Cell>
            <Cell wide className="max-w-44 truncate text-soft">
              {keyName(request.key.name)}
            </Cell>
            <Cell wide className="whitespace-nowrap text-soft">
              {texts.ms(request.durationMs)}
            </Cell>
            <MomentCell wide at={request.createdAt} />
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter
              label={texts.method}
              name="method"
              options={{ '': texts.anyMethod, ...Object.fromEntries(METHODS.map((each) => [each, each])) }}
            />
            <ListFilter label={texts.status} name="status" options={{ '': texts.anyStatus, ...texts.statuses }} />
            <PickerFilter kind="api-key" label={texts.key} name="key" any={texts.anyKey} choices={keyChoices} />
            <DateFilter />
          </>
        }
        empty={
          <ListEmpty
            icon={Logs}
            filtered={filtered}
            texts={texts}
            actions={
              <LinkButton kind="primary" to={projectPage(projectId, 'settings', { tab: 'keys' })}>
                {texts.createKey}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  )
}
