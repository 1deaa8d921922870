/** The segment list, with search and order. All segments are loaded at once, so both happen here. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import type { Condition } from '../../conditions/condition.ts'
import { useConditionNames } from '../../conditions/condition-names.ts'
import { describeCondition } from '../../conditions/describe-condition.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useContactTotal } from '../../data/use-contact-facts.ts'
import { formatNumber, formatShare } from '../../figures/format.ts'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListSearch } from '../../lists/list.tsx'
import { SortButton } from '../../lists/sort-button.tsx'
import { Cell, MomentCell, NameCell, NumberCell, Row } from '../../lists/table.tsx'
import { TagFilter, Tags } from '../../lists/tags.tsx'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { texts } from './texts.ts'
import { useFreshCounts } from './use-fresh-counts.ts'

type Segment = Schemas['Segment']

const INITIAL_SORT = '-created'

type Order = (a: Segment, b: Segment) => number

const ORDERS: Record<string, Order> = {
  created: (a, b) => (a.id < b.id ? -1 : 1),
  name: (a, b) => a.name.localeCompare(b.name),
  updated: (a, b) => (a.updatedAt < b.updatedAt ? -1 : 1),
}

export function SegmentsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', sort = INITIAL_SORT, tag = '' }] = useSearchState<'search' | 'sort' | 'tag'>()
  const list = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
  })
  const countOf = useFreshCounts(list.data)
  const { data: contacts } = useContactTotal()
  const orders: Record<string, Order> = { ...ORDERS, contacts: (a, b) => countOf(a) - countOf(b) }
  const order = orders[sort.replace(/^-/, '')] ?? orders.created!
  const shown = list.data
    ?.filter(({ tags }) => tag === '' || tags.includes(tag))
    .filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => (sort.startsWith('-') ? order(b, a) : order(a, b)))
  const filtered = search !== '' || tag !== ''
  const names = useConditionNames(list.data?.map(({ condition }) => condition) ?? [], list.data)
  const createButton = (
    <LinkButton kind="primary" to={projectPage(projectId, 'segments/new')}>
      <Plus aria-hidden /> {texts.create}
    </LinkButton>
  )
  const sortBy = (by: string, label: string, descendingFirst = false) => (
    <SortButton label={label} by={by} initial={INITIAL_SORT} descendingFirst={descendingFirst} />
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={createButton}>
      <List
        list={{ ...list, data: shown && { data: shown } }}
        label={texts.title}
        head={[
          sortBy('name', texts.column.name),
          { wide: texts.column.type },
          { number: sortBy('contacts', texts.column.contacts, true) },
          { number: texts.column.share, onlyWide: true },
          { wide: sortBy('updated', texts.column.updated, true) },
        ]}
        row={(segment) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'segments/$id', { id: segment.id })}
              more={
                segment.description ??
                (segment.condition && describeCondition(segment.condition as unknown as Condition, names))
              }
              tags={<Tags kind="segments" item={segment} />}
              onPhone={texts.types[segment.type]}
            >
              {segment.name}
            </NameCell>
            <Cell wide>
              <span className="flex gap-1.5">
                <Badge tone={segment.type === 'DYNAMIC' ? 'info' : 'neutral'}>{texts.types[segment.type]}</Badge>
                {segment.trackMembership && <Badge>{texts.tracked}</Badge>}
              </span>
            </Cell>
            <NumberCell>{formatNumber(countOf(segment))}</NumberCell>
            <NumberCell wide>{contacts === undefined ? '' : formatShare(countOf(segment), contacts)}</NumberCell>
            <MomentCell wide at={segment.updatedAt} />
          </Row>
        )}
        tools={
          list.data &&
          list.data.length > 0 && (
            <>
              <ListSearch label={texts.search} />
              <TagFilter kind="segments" />
            </>
          )
        }
        empty={<ListEmpty icon={UsersRound} filtered={filtered} texts={texts} actions={createButton} />}
      />
    </Page>
  )
}
