/** What people did: the latest first, by name if one likes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { SERVICE_URL, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useApi, useProject, useSearchState } from '../../project.ts'
import { dataInWords } from '../contacts/data-words.ts'
import { firstRequests } from '../overview/first-requests.ts'

export function EventsPage() {
  const { projectId, api } = useApi()
  const project = useProject()
  const [{ name = '', cursor }, change] = useSearchState<'name' | 'cursor'>()
  const query = { limit: 50, cursor, name: name || undefined }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'events', query],
    queryFn: () => unwrap(api.events.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: cursor ? false : 5_000,
  })
  const { data: names } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  const options = Object.fromEntries([
    ['', 'All events'],
    ...[...new Set([...(names ?? []), ...(name ? [name] : [])])].map((one) => [one, one]),
  ])
  const track = firstRequests({ baseUrl: SERVICE_URL, secret: undefined, publicKey: project.publicKey, domain: '' }).at(
    -1,
  )!

  return (
    <Page
      title="Events"
      lead="What your users did, and what happened to your emails. Workflows start from them, segments ask about them."
    >
      <Card flush>
        <div className="px-5 pt-2 pb-3">
          <div className="max-w-72">
            <Select
              label="Name"
              hideLabel
              value={name}
              options={options}
              onChange={(event) => change({ name: event.target.value, cursor: undefined })}
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
          <Empty icon={Braces} title={name ? 'No such event' : 'No event yet'}>
            {!name && (
              <div className="text-left">
                <p className="mb-3 text-center">Track one from a page or a server with the public key:</p>
                <CodeBlock text={track.text} label="Track an event with curl" />
              </div>
            )}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table label="Events" head={['Event', 'Contact', 'Data', 'When']}>
            {data.data.map((event) => (
              <Row key={event.id}>
                <Cell>
                  <Badge tone={/^(email|contact|segment)\./.test(event.name) ? 'neutral' : 'info'}>{event.name}</Badge>
                </Cell>
                <Cell>
                  {event.contact && (
                    <Link
                      to={inProjectPath(projectId, `contacts/${event.contact.id}`)}
                      className="font-medium hover:underline"
                    >
                      {event.contact.email}
                    </Link>
                  )}
                </Cell>
                <Cell className="max-w-80 truncate text-soft">{dataInWords(event.data)}</Cell>
                <Cell className="text-soft">
                  <Moment at={event.createdAt} relative />
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
