/**
 * A list as every page has it: tools above, then what was found, nothing, or what went wrong, and the pages below. What
 * is searched, filtered and turned to lives in the address.
 */
import { Fragment, type ReactNode } from 'react'
import { useSearchState } from '../project.ts'
import { inWords } from './badge.tsx'
import { Select } from './field.tsx'
import { Card, Loading } from './page.tsx'
import { PageNumbers, Pager } from './pager.tsx'
import { Problem } from './problem.tsx'
import { SearchBox } from './search-box.tsx'
import { type Head, Table } from './table.tsx'

/** Lists that go by cursor have one, those that go by number have pages. */
interface Found<T> {
  data: T[]
  cursor?: string | null
  page?: number
  totalPages?: number
}

interface ListProps<T> {
  list: { data: Found<T> | undefined; error: unknown; refetch(): unknown }
  label: string
  head: Head[]
  row(item: T): ReactNode
  empty: ReactNode
  tools?: ReactNode
  /** Below the tools. */
  below?: ReactNode
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  /** How many there are. */
  words?: ReactNode
}

export function List<T extends { id: string }>({
  list,
  label,
  head,
  row,
  empty,
  tools,
  below,
  words,
  ...card
}: ListProps<T>) {
  const { data, error } = list
  const [{ cursor }, change] = useSearchState<'cursor' | 'page'>()
  return (
    <Card flush {...card}>
      {tools && <Tools>{tools}</Tools>}
      {below}
      {error !== null && (
        <div className="p-5">
          <Problem error={error} retry={() => void list.refetch()} />
        </div>
      )}
      {!data && error === null && <Loading />}
      {data?.data.length === 0 && empty}
      {data && data.data.length > 0 && (
        <Table label={label} head={head}>
          {data.data.map((item) => (
            <Fragment key={item.id}>{row(item)}</Fragment>
          ))}
        </Table>
      )}
      {data?.totalPages === undefined ? (
        <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} words={words} />
      ) : (
        <PageNumbers
          page={data.page ?? 1}
          totalPages={data.totalPages}
          onGo={(to) => change({ page: String(to) })}
          words={words}
        />
      )}
    </Card>
  )
}

export const Tools = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3 max-sm:px-4">{children}</div>
)

/** What is looked for has changed: the page one was on says nothing any more. */
export const FROM_THE_START = { cursor: undefined, page: undefined }

export function ListSearch({ label }: { label: string }) {
  const [{ search = '' }, change] = useSearchState<'search' | 'cursor' | 'page'>()
  return (
    <SearchBox
      label={label}
      value={search}
      onSearch={(text) => change({ search: text, ...FROM_THE_START }, { replace: true })}
    />
  )
}

/** `name` is what it is called in the address. */
export function ListFilter({ label, name, options }: { label: string; name: string; options: Record<string, string> }) {
  const [state, change] = useSearchState<string>()
  return (
    <div className="w-44 max-sm:flex-1">
      <Select
        label={label}
        hideLabel
        value={state[name] ?? ''}
        options={options}
        onChange={(event) => change({ [name]: event.target.value, ...FROM_THE_START })}
      />
    </div>
  )
}

/** Any of them, or one. */
export const anyOrOne = (any: string, values: readonly string[]): Record<string, string> => ({
  '': any,
  ...Object.fromEntries(values.map((value) => [value, inWords(value)])),
})
