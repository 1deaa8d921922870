/** Events, newest first, with a filter by name. If there are events that the project tracks, the list starts with them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { isSystemEvent } from '../../conditions/event-labels.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { FIRST_PAGE, List } from '../../lists/list.tsx'
import { Cell, EventAndContact, MomentCell, Row } from '../../lists/table.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { summarizeData } from '../contacts/one/contact-data.ts'
import { EventChart } from './chart.tsx'
import { EventCounts } from './counts.tsx'
import { DeleteEvents } from './delete.tsx'
import { ImportHistory } from './history.tsx'
import { useEventProperties } from './properties.ts'
import { propertyOf } from './property-of.ts'
import { useEventLabel } from './segment-labels.ts'
import { texts } from './texts.ts'
import { TrackDialog, TrackExample } from './track.tsx'

type ListedEvent = Pick<Schemas['Event'], 'id' | 'name' | 'contact' | 'data' | 'createdAt'>

interface EventListPage {
  data: ListedEvent[]
  cursor: string | null
}

const PAGE_SIZE = 50

/** The subject of an email's event, nothing for the events of a segment, and otherwise the data. */
function detailsOf({ name, data }: ListedEvent): string {
  if (name.startsWith('segment.')) return ''
  return isSystemEvent(name) && typeof data.subject === 'string' ? data.subject : summarizeData(data)
}

/** The types of the activity feed that one request can ask for, separated by commas. */
const TYPES_MAX = 100
/** Names that the feed can't ask for, or that are types of other entries as well. */
const NOT_IN_FEED = /,|^(campaign|workflow)\./

/** Values of the filter besides names. Names don't start with a space. */
const OWN = ' own'
const ALL = ' all'

/** The names of all events, and of those that the project tracks, if they can be listed together. */
function useEventNames() {
  const { projectId, api } = useApi()
  const { data: names, isFetched } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  useLiveQueries(
    [[projectId, 'events', 'names']],
    ({ type }) => names?.includes(type) === false && !NOT_IN_FEED.test(type),
  )
  const tracked = names?.filter((name) => !isSystemEvent(name)) ?? []
  const canListTracked =
    tracked.length > 0 && tracked.length <= TYPES_MAX && !tracked.some((name) => NOT_IN_FEED.test(name))
  return { names: names ?? [], own: canListTracked ? tracked : [], isFetched }
}

function useEventList({ names, own, isFetched }: ReturnType<typeof useEventNames>) {
  const { projectId, api } = useApi()
  const [{ name = '', show, cursor }] = useSearchState<'name' | 'show' | 'cursor'>()
  // The two lists have different cursors, so a page of one must not become a page of the other.
  const isOwn = !name && own.length > 0 && (cursor ? show === 'own' : show !== 'all')
  const page = { limit: PAGE_SIZE, cursor }
  const listOwn = async (): Promise<EventListPage> => {
    const found = await unwrap(api.activity.list({ ...page, types: own.join(',') }))
    return {
      cursor: found.cursor,
      data: found.data.map(({ id, type, contact, metadata, timestamp }) => ({
        id,
        name: type,
        contact,
        data: metadata,
        createdAt: timestamp,
      })),
    }
  }
  const queryKey = [projectId, 'events', { ...page, name, own: isOwn && own }]
  const list = useQuery<EventListPage>({
    queryKey,
    enabled: name !== '' || isFetched,
    queryFn: () => (isOwn ? listOwn() : unwrap(api.events.list({ ...page, name: name || undefined }))),
    placeholderData: keepPreviousData,
  })
  const concerns = (type: string) => (isOwn ? own.includes(type) : !name || type === name)
  useLiveQueries([queryKey], ({ type }) => concerns(type), !cursor)
  return { list, name, isOwn, isFirst: !name && !cursor, hasEvents: names.length > 0 }
}

export function EventsPage() {
  const labelOf = useEventLabel()
  const [, change] = useSearchState<'name' | 'show' | keyof typeof FIRST_PAGE>()
  const eventNames = useEventNames()
  const { list, name, isOwn, isFirst, hasEvents } = useEventList(eventNames)
  const { names, own } = eventNames
  const properties = useEventProperties(name)
  const inOrder = [...names.filter((one) => !isSystemEvent(one)), ...names.filter(isSystemEvent)]
  const choices = [
    ...(own.length > 0 ? [{ value: OWN, label: texts.own }] : []),
    { value: ALL, label: texts.allEvents },
    ...[...new Set([...inOrder, ...(name ? [name] : [])])].map((one) => ({ value: one, label: labelOf(one) })),
  ]
  const filterBy = (chosen: string) =>
    change({
      name: chosen === OWN || chosen === ALL ? undefined : chosen,
      show: chosen === ALL && own.length > 0 ? 'all' : undefined,
      ...FIRST_PAGE,
    })

  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <ImportHistory />
          {hasEvents && <TrackDialog />}
        </>
      }
    >
      {name && (
        <div className="mb-5">
          <EventChart name={name} />
        </div>
      )}
      {isFirst && (
        <div className="mb-5">
          <EventCounts onSelect={filterBy} />
        </div>
      )}
      <List
        list={list}
        label={texts.title}
        head={[
          texts.column.event,
          { wide: texts.column.contact },
          ...(properties.length > 0 ? properties : [texts.column.data]).map((wide) => ({ wide })),
          texts.column.date,
        ]}
        row={(event) => (
          <Row>
            <EventAndContact
              event={
                <Badge tone={isSystemEvent(event.name) ? 'neutral' : 'info'}>{labelOf(event.name, event.data)}</Badge>
              }
              contact={event.contact}
            />
            {properties.length > 0 ? (
              properties.map((property) => (
                <Cell key={property} wide className="max-w-48 truncate">
                  {propertyOf(event.data, property)}
                </Cell>
              ))
            ) : (
              <Cell wide className="max-w-80 truncate text-soft">
                {detailsOf(event)}
              </Cell>
            )}
            <MomentCell at={event.createdAt} />
          </Row>
        )}
        filtered={name !== '' || isOwn}
        tools={
          <>
            <div className="w-56 max-sm:flex-1">
              <Picker
                kind="event"
                label={texts.name}
                hideLabel
                value={name || (isOwn ? OWN : ALL)}
                choices={choices}
                onChoose={filterBy}
              />
            </div>
            {name && !isSystemEvent(name) && <DeleteEvents name={name} onDeleted={() => filterBy(OWN)} />}
          </>
        }
        empty={
          <Empty icon={Braces} title={name || isOwn ? texts.noMatchTitle : texts.emptyTitle}>
            {!name && !isOwn && (
              <div className="text-start">
                <p className="mb-5 text-center">{texts.empty}</p>
                <TrackExample />
              </div>
            )}
          </Empty>
        }
      />
    </Page>
  )
}
