/** The tracked events, newest first, with a filter by name. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { type Schemas, SERVICE_URL, unwrap } from '../../api.ts'
import { useLiveQueries } from '../../live.ts'
import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { activityLabel, isSystemEvent } from '../../parts/event-labels.ts'
import { List, ListFilter } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, EventAndContact, MomentCell, Row } from '../../parts/table.tsx'
import { useApi, useProject, useSearchState } from '../../project.ts'
import { summarizeData } from '../contacts/contact-data.ts'
import { trackExample } from '../overview/example-requests.ts'
import { EventCounts } from './counts.tsx'
import { DeleteEvents } from './delete.tsx'
import { texts } from './texts.ts'

/** The subject of an email's event, nothing for the events of a segment, and otherwise the data. */
function detailsOf({ name, data }: Schemas['Event']): string {
  if (name.startsWith('segment.')) return ''
  return isSystemEvent(name) && typeof data.subject === 'string' ? data.subject : summarizeData(data)
}

export function EventsPage() {
  const { projectId, api } = useApi()
  const project = useProject()
  const [{ name = '', cursor }, change] = useSearchState<'name' | 'cursor'>()
  const query = { limit: 50, cursor, name: name || undefined }
  const list = useQuery({
    queryKey: [projectId, 'events', query],
    queryFn: () => unwrap(api.events.list(query)),
    placeholderData: keepPreviousData,
  })
  useLiveQueries([[projectId, 'events', query]], (item) => !name || item.type === name, !cursor)
  const { data: names } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  const options = Object.fromEntries([
    ['', texts.allEvents],
    ...[...new Set([...(names ?? []), ...(name ? [name] : [])])].map((one) => [one, activityLabel(one)]),
  ])
  const track = trackExample({ baseUrl: SERVICE_URL, publicKey: project.publicKey })

  return (
    <Page title={texts.title} lead={texts.lead}>
      {!name && !cursor && (
        <div className="mb-5">
          <EventCounts onSelect={(chosen) => change({ name: chosen })} />
        </div>
      )}
      <List
        list={list}
        label={texts.title}
        head={[texts.column.event, { wide: texts.column.contact }, { wide: texts.column.data }, texts.column.date]}
        row={(event) => (
          <Row>
            <EventAndContact
              event={
                <Badge tone={isSystemEvent(event.name) ? 'neutral' : 'info'}>
                  {activityLabel(event.name, event.data)}
                </Badge>
              }
              contact={event.contact}
            />
            <Cell wide className="max-w-80 truncate text-soft">
              {detailsOf(event)}
            </Cell>
            <MomentCell at={event.createdAt} />
          </Row>
        )}
        filtered={name !== ''}
        tools={
          <>
            <ListFilter label={texts.name} name="name" options={options} />
            {name && !isSystemEvent(name) && <DeleteEvents name={name} onDeleted={() => change({ name: undefined })} />}
          </>
        }
        empty={
          <Empty icon={Braces} title={name ? texts.noMatchTitle : texts.emptyTitle}>
            {!name && (
              <div className="text-left">
                <p className="mb-3 text-center">{texts.empty}</p>
                <CodeBlock text={track} label={texts.example} />
              </div>
            )}
          </Empty>
        }
      />
    </Page>
  )
}
