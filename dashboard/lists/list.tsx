/**
 * A list with its toolbar, its rows, empty state or error, and its pagination. Search, filters and page are kept in the
 * address.
 */
import { Fragment, type ReactNode } from 'react'
import type { SearchName } from '../addresses.ts'
import { useSearchState } from '../data/project.ts'
import { formatNumber } from '../figures/format.ts'
import type { Choice } from '../pickers/combobox.tsx'
import { Picker } from '../pickers/picker.tsx'
import type { PickerKind } from '../pickers/use-recent.ts'
import { Card } from '../shell/page.tsx'
import { sharedTexts } from '../shell/texts.ts'
import { type StatusKind, statusLabel } from '../ui/badge.tsx'
import { Select } from '../ui/field.tsx'
import { PageNumbers, Pager } from './pager.tsx'
import { Problem } from './problem.tsx'
import { SearchBox } from './search-box.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { type Head, Table } from './table.tsx'

/** One page of a list, by cursor or by number. */
interface ListPage<T> {
  data: T[]
  cursor?: string | null
  page?: number
  pageSize?: number
  total?: number
  totalPages?: number
}

interface ListProps<T> {
  list: { data: ListPage<T> | undefined; error: unknown; isPlaceholderData?: boolean; refetch(): unknown }
  label: string
  head: Head[]
  row(item: T): ReactNode
  empty: ReactNode
  /** Hidden while there is nothing to search or filter. */
  tools?: ReactNode
  /** Whether the list is searched or filtered. */
  filtered?: boolean
  /** Below the tools. */
  below?: ReactNode
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  /** The number of items. */
  total?: string
}

export function List<T extends { id: string }>({
  list,
  label,
  head,
  row,
  empty,
  tools,
  filtered,
  below,
  total,
  ...card
}: ListProps<T>) {
  const { data, error } = list
  const [{ cursor, first }, change] = useSearchState<'cursor' | 'page' | 'first'>()
  const start = cursor ? Number(first) || undefined : 1
  const rows = data?.data.length ?? 0
  // The previous list, which is shown while the next one loads, can be the empty result of a search.
  const hasNothing = filtered === false && data?.data.length === 0 && !list.isPlaceholderData
  // A search or a condition that was refused can only be corrected if it stays.
  if (!data && error !== null && !card.title && !tools && !below)
    return <Problem title={sharedTexts.notLoaded(label)} error={error} retry={() => void list.refetch()} />
  return (
    <Card flush {...card}>
      {tools && !hasNothing && <Tools>{tools}</Tools>}
      {below}
      {error !== null && (
        <div className="p-5">
          <Problem title={sharedTexts.notLoaded(label)} error={error} retry={() => void list.refetch()} />
        </div>
      )}
      {!data && error === null && <SkeletonRows />}
      {data?.data.length === 0 && empty}
      {data && data.data.length > 0 && (
        <Table label={label} head={head}>
          {data.data.map((item) => (
            <Fragment key={item.id}>{row(item)}</Fragment>
          ))}
        </Table>
      )}
      {data?.totalPages === undefined ? (
        <Pager
          cursor={cursor}
          next={data?.cursor ?? null}
          onGo={(to) => change({ cursor: to, first: to && start ? String(start + rows) : undefined })}
          first={start}
          rows={rows}
          total={total}
        />
      ) : (
        <PageNumbers
          page={data.page ?? 1}
          totalPages={data.totalPages}
          onGo={(to) => change({ page: String(to) })}
          rows={rows}
          pageSize={data.pageSize}
          total={total ?? (data.total && data.totalPages > 1 ? formatNumber(data.total) : undefined)}
        />
      )}
    </Card>
  )
}

export const Tools = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3">{children}</div>
)

/** A new search starts at the first page. */
export const FIRST_PAGE = { cursor: undefined, page: undefined, first: undefined }

export function ListSearch({ label }: { label: string }) {
  const [{ search = '' }, change] = useSearchState<'search' | keyof typeof FIRST_PAGE>()
  return (
    <SearchBox
      label={label}
      value={search}
      onSearch={(text) => change({ search: text, ...FIRST_PAGE }, { replace: true })}
    />
  )
}

interface ListFilterProps {
  label: string
  /** Its parameter in the address. */
  name: SearchName
  options: Record<string, string>
}

export function ListFilter({ label, name, options }: ListFilterProps) {
  const [state, change] = useSearchState<SearchName>()
  return (
    <div className="w-44 max-sm:min-w-36 max-sm:flex-1">
      <Select
        label={label}
        hideLabel
        value={state[name] ?? ''}
        options={options}
        onChange={(event) => change({ [name]: event.target.value, ...FIRST_PAGE })}
      />
    </div>
  )
}

interface PickerFilterProps extends Omit<ListFilterProps, 'options'> {
  kind: PickerKind
  /** The label of no filter. */
  any: string
  choices: Choice[]
}

/** A filter with so many choices that they are searched. */
export function PickerFilter({ kind, label, name, any, choices }: PickerFilterProps) {
  const [state, change] = useSearchState<SearchName>()
  return (
    <div className="w-56 max-sm:min-w-36 max-sm:flex-1">
      <Picker
        kind={kind}
        label={label}
        hideLabel
        value={state[name] ?? ''}
        choices={[{ value: '', label: any }, ...choices]}
        onChoose={(value) => change({ [name]: value, ...FIRST_PAGE })}
      />
    </div>
  )
}

/** The page, search and tag of a list, stored in the URL. */
export function usePagedQuery() {
  const [{ search, page, tag }] = useSearchState<'search' | 'page' | 'tag'>()
  return {
    query: { page: Number(page) || 1, search: search || undefined, tag: tag || undefined },
    filtered: Boolean(search || tag),
  }
}

/** The order that is chosen in a list: `name` or `updatedAt`; by creation otherwise. */
export const listOrder = (chosen: string) =>
  chosen === 'name'
    ? ({ sort: 'name', dir: 'asc' } as const)
    : chosen === 'updatedAt'
      ? ({ sort: 'updatedAt' } as const)
      : {}

/** Filter options: any value, or one of them. */
export const filterOptions = (any: string, kind: StatusKind, values: readonly string[]): Record<string, string> => ({
  '': any,
  ...Object.fromEntries(values.map((value) => [value, statusLabel(kind, value)])),
})
