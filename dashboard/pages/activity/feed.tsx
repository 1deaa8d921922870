/** The activity of the project in real time, and what is scheduled next. */
import { useQuery } from '@tanstack/react-query'
import { Activity as ActivityIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Schemas, SERVICE_URL, unwrap } from '../../api.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { ListFilter, Tools } from '../../parts/list.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, EventAndContact, MomentCell, Row, Table } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { readStream } from '../../stream.ts'
import { summarizeData } from '../contacts/contact-data.ts'
import { texts } from './texts.ts'
import { Upcoming } from './upcoming.tsx'

type Item = Schemas['Activity']

const SHOWN_MAX = 200
const RECONNECT_MS = 3_000

export function ActivityPage() {
  const { projectId, api } = useApi()
  const [{ type = '', cursor }, change] = useSearchState<'type' | 'cursor'>()
  const [paused, setPaused] = useState(false)
  const query = { limit: 50, cursor, types: type || undefined }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'activity', query],
    queryFn: () => unwrap(api.activity.list(query)),
    refetchOnWindowFocus: false,
  })
  const { data: types } = useQuery({
    queryKey: [projectId, 'activity', 'types'],
    queryFn: async () => (await unwrap(api.activity.types())).types,
  })
  const live = useLive(projectId, data !== undefined && !cursor && !paused)
  const known = new Set(data?.data.map(({ id }) => id))
  const fresh = cursor ? [] : live.items.filter((item) => !known.has(item.id) && (!type || item.type === type))
  const items = [...fresh, ...(data?.data ?? [])]
  const options = Object.fromEntries([['', texts.allTypes], ...(types ?? []).map((one) => [one, typeLabel(one)])])
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card flush>
          <Tools>
            <ListFilter label={texts.type} name="type" options={options} />
            {!cursor && (
              <div className="ml-auto flex items-center gap-3 text-sm text-soft">
                <span className="flex items-center gap-2">
                  <span aria-hidden className={`size-2 rounded-full ${live.open ? 'bg-good' : 'bg-line-strong'}`} />
                  {live.open ? texts.live : paused ? texts.paused : texts.connecting}
                </span>
                <Button onClick={() => setPaused(!paused)}>{paused ? texts.resume : texts.pause}</Button>
              </div>
            )}
          </Tools>
          {error && (
            <div className="p-5">
              <Problem error={error} retry={() => void refetch()} />
            </div>
          )}
          {!data && !error && <Loading />}
          {data && items.length === 0 && (
            <Empty icon={ActivityIcon} title={texts.emptyTitle}>
              {texts.empty}
            </Empty>
          )}
          {items.length > 0 && <Items items={items} />}
          <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} />
        </Card>
        <Upcoming />
      </div>
    </Page>
  )
}

/** The entries since the page was opened, newest first. Reconnects when the connection is lost. */
function useLive(projectId: string, wanted: boolean) {
  const [items, setItems] = useState<Item[]>([])
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    let lastId: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const connect = async () => {
      await readStream({
        url: `${SERVICE_URL}/activity/stream`,
        projectId,
        lastId,
        signal: stop.signal,
        onOpen: () => setOpen(true),
        onEvent: ({ id, data }) => {
          lastId = id ?? lastId
          const item = JSON.parse(data) as Item
          setItems((now) => [item, ...now.filter((one) => one.id !== item.id)].slice(0, SHOWN_MAX))
        },
      }).catch(() => {})
      if (stop.signal.aborted) return
      setOpen(false)
      timer = setTimeout(() => void connect(), RECONNECT_MS)
    }
    void connect()
    return () => {
      stop.abort()
      clearTimeout(timer)
      setOpen(false)
    }
  }, [projectId, wanted])
  return { items, open }
}

const TONES: [RegExp, Tone][] = [
  [/\.(bounce|complaint|failed)$/, 'bad'],
  [/\.(delivery|completed|subscribed|sent)$/, 'good'],
  [/^(campaign|workflow)\./, 'warn'],
  [/^(email|contact|segment)\./, 'neutral'],
]

const typeLabel = (type: string): string => texts.types[type] ?? type

const toneOf = (type: string): Tone => TONES.find(([pattern]) => pattern.test(type))?.[1] ?? 'info'

/** The subject or name if there is one, otherwise all metadata. */
function detailsOf(metadata: Item['metadata']): string {
  const { subject, name } = metadata
  if (typeof subject === 'string' && subject !== '') return subject
  return typeof name === 'string' ? name : summarizeData(metadata)
}

function Items({ items }: { items: Item[] }) {
  return (
    <Table
      label={texts.title}
      head={[texts.column.activity, { wide: texts.column.contact }, { wide: texts.column.details }, texts.column.date]}
    >
      {items.map((item) => (
        <Row key={item.id}>
          <EventAndContact
            event={<Badge tone={toneOf(item.type)}>{typeLabel(item.type)}</Badge>}
            contact={item.contact}
          />
          <Cell wide className="w-full max-w-64 truncate text-soft">
            {detailsOf(item.metadata)}
          </Cell>
          <MomentCell at={item.timestamp} />
        </Row>
      ))}
    </Table>
  )
}
