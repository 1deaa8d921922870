/** What people did: the latest first, by name if one likes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { SERVICE_URL, unwrap } from '../../api.ts'
import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { isOurs } from '../../parts/event-words.ts'
import { List, ListFilter } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, Row, WhatAndWho } from '../../parts/table.tsx'
import { useApi, useProject, useSearchState } from '../../project.ts'
import { dataInWords } from '../contacts/data-words.ts'
import { firstRequests } from '../overview/first-requests.ts'
import { DeleteEvents } from './delete.tsx'

export function EventsPage() {
  const { projectId, api } = useApi()
  const project = useProject()
  const [{ name = '', cursor }, change] = useSearchState<'name' | 'cursor'>()
  const query = { limit: 50, cursor, name: name || undefined }
  const list = useQuery({
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
      <List
        list={list}
        label="Events"
        head={['Event', { wide: 'Contact' }, { wide: 'Data' }, 'When']}
        row={(event) => (
          <Row>
            <WhatAndWho
              what={<Badge tone={isOurs(event.name) ? 'neutral' : 'info'}>{event.name}</Badge>}
              contact={event.contact}
            />
            <Cell wide className="max-w-80 truncate text-soft">
              {dataInWords(event.data)}
            </Cell>
            <MomentCell at={event.createdAt} />
          </Row>
        )}
        tools={
          <>
            <ListFilter label="Name" name="name" options={options} />
            {name && !isOurs(name) && <DeleteEvents name={name} onDeleted={() => change({ name: undefined })} />}
          </>
        }
        empty={
          <Empty icon={Braces} title={name ? 'No such event' : 'No event yet'}>
            {!name && (
              <div className="text-left">
                <p className="mb-3 text-center">Track one from a page or a server with the public key:</p>
                <CodeBlock text={track.text} label="Track an event with curl" />
              </div>
            )}
          </Empty>
        }
      />
    </Page>
  )
}
