/** The activity of the project in real time, and what is scheduled next. Events of one email share an entry. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Activity as ActivityIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { activityLabel } from '../../conditions/event-labels.ts'
import { unwrap } from '../../data/api.ts'
import { type Activity, useActivity, useIsLive, useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { ListFilter, PickerFilter, Tools } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { SkeletonRows } from '../../lists/skeleton.tsx'
import type { Choice } from '../../pickers/combobox.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Entry } from './entry.tsx'
import { EntryGroup } from './entry-group.tsx'
import { CATEGORIES, groupByEmail, groupNeighbors, isChosen, typesOf } from './group.ts'
import { texts } from './texts.ts'
import { Upcoming } from './upcoming.tsx'

const PAGE_SIZE = 50
const LIVE_MAX = 200
/** Many events can be one row. Until there are this many rows, older pages are loaded too, up to a limit. */
const ROWS_MIN = 15
const FIRST_PAGES_MAX = 5
/** The maximum of one request. */
const TYPES_MAX = 100
/** Matches nothing, for a category without any types. */
const NO_TYPE = '-'
const DAY_MS = 86_400_000

/** The start of a period of whole days, in the viewer's time zone. */
function startOf(days: string): string | undefined {
  if (!days) return undefined
  const today = new Date().setHours(0, 0, 0, 0)
  return new Date(today - (Number(days) - 1) * DAY_MS).toISOString()
}

export function ActivityPage() {
  const { projectId, api } = useApi()
  const [{ type = '', days = '', contact = '' }, change] = useSearchState<'type' | 'days' | 'contact'>()
  const [paused, setPaused] = useState(false)
  const { data: allTypes } = useQuery({
    queryKey: [projectId, 'activity', 'types'],
    queryFn: async () => (await unwrap(api.activity.types())).types,
  })
  useLiveQueries([[projectId, 'activity', 'types']], (item) => allTypes?.includes(item.type) === false)
  const types = typesOf(type, allTypes)
  const filter = {
    types: types && (types.slice(0, TYPES_MAX).join(',') || NO_TYPE),
    from: startOf(days),
    contactId: contact || undefined,
  }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [projectId, 'activity', filter],
    enabled: !(type in CATEGORIES) || allTypes !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => unwrap(api.activity.list({ limit: PAGE_SIZE, cursor: pageParam, ...filter })),
    getNextPageParam: (last) => last.cursor ?? undefined,
    refetchOnWindowFocus: false,
  })
  const fresh = useFresh(
    `${projectId} ${JSON.stringify(filter)}`,
    (item) => isChosen(type, item.type) && (!contact || item.contact?.id === contact),
    data !== undefined && !paused,
  )
  const isLive = useIsLive()
  const entries = groupByEmail([...fresh, ...(data?.pages.flatMap((page) => page.data) ?? [])])
  const rows = groupNeighbors(entries)
  const isShort = rows.length < ROWS_MIN && (data?.pages.length ?? 0) < FIRST_PAGES_MAX
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage()
  }, [isShort, hasNextPage, isFetchingNextPage, error, fetchNextPage])
  const filterContact = contact ? undefined : (id: string) => change({ contact: id })
  const filtered = type !== '' || days !== '' || contact !== ''
  const isEmpty = data !== undefined && entries.length === 0 && !filtered
  const connection = (
    <span className="flex items-center gap-2 text-sm text-soft">
      <span aria-hidden className={`size-2 rounded-full ${isLive && !paused ? 'bg-good' : 'bg-line-strong'}`} />
      {paused ? texts.paused : isLive ? texts.live : texts.connecting}
    </span>
  )
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card flush title={isEmpty ? texts.latest : undefined} actions={isEmpty && connection}>
          {!isEmpty && (
            <Tools>
              <PickerFilter
                kind="event"
                label={texts.type}
                name="type"
                any={texts.allTypes}
                choices={typeChoices(allTypes, type)}
              />
              <ListFilter label={texts.period} name="days" options={texts.periods} />
              {filtered && (
                <Button kind="quiet" onClick={() => change({ type: undefined, days: undefined, contact: undefined })}>
                  {texts.clearFilters}
                </Button>
              )}
              <div className="ms-auto flex items-center gap-3">
                {connection}
                <Button onClick={() => setPaused(!paused)}>{paused ? texts.resume : texts.pause}</Button>
              </div>
            </Tools>
          )}
          {error && (
            <div className="p-5">
              <Problem error={error} retry={() => void refetch()} />
            </div>
          )}
          {!data && !error && <SkeletonRows />}
          {data && entries.length === 0 && (
            <ListEmpty
              icon={ActivityIcon}
              filtered={filtered}
              texts={texts}
              actions={
                <LinkButton kind="primary" to={projectPage(projectId, '/')}>
                  {texts.sendFirst}
                </LinkButton>
              }
            />
          )}
          {entries.length > 0 && (
            <ol aria-label={texts.title} className="divide-y divide-line border-t border-line">
              {rows.map((items) => {
                // New entries don't change the oldest one, so an expanded group stays expanded.
                const oldest = items.at(-1)!
                const key = oldest.email?.id ?? oldest.id
                return items.length > 1 ? (
                  <EntryGroup key={key} items={items} onFilterContact={filterContact} />
                ) : (
                  <Entry key={key} item={oldest} onFilterContact={filterContact} />
                )
              })}
            </ol>
          )}
          {hasNextPage && (
            <div className="border-t border-line px-5 py-3">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {texts.older}
              </Button>
            </div>
          )}
        </Card>
        <Upcoming />
      </div>
    </Page>
  )
}

/** What has happened since the list was loaded, newest first. Empty again when the filter changes. */
function useFresh(listKey: string, concerns: (item: Activity) => boolean, wanted: boolean): Activity[] {
  const [fresh, setFresh] = useState({ listKey, items: [] as Activity[] })
  useActivity((item) => {
    if (!concerns(item)) return
    setFresh((now) => ({
      listKey,
      items: [item, ...(now.listKey === listKey ? now.items : [])].slice(0, LIVE_MAX),
    }))
  }, wanted)
  return fresh.listKey === listKey ? fresh.items : []
}

/** The categories first, then every type, and the chosen one even if it has no entries. */
function typeChoices(types: string[] | undefined, chosen: string): Choice[] {
  const all = new Set([...(types ?? []), ...(chosen && !(chosen in CATEGORIES) ? [chosen] : [])])
  return [
    ...Object.entries(texts.categories).map(([value, label]) => ({ value, label })),
    ...[...all].map((type) => ({ value: type, label: activityLabel(type) })),
  ]
}
