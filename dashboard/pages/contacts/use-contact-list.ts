/** The contacts that the list shows, by search, subscription and condition, and the IDs of all of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../api.ts'
import { parseCondition } from '../../parts/condition.ts'
import { useApi, useSearchState } from '../../project.ts'
import { combineFilters } from './combine-filters.ts'

type Contact = Schemas['Contact']

const PAGE_SIZE = 50
/** The maximum of one bulk job. */
export const SELECTION_MAX = 1_000
const LOAD_PAGE_SIZE = 100

interface ContactListPage {
  data: Contact[]
  total: number
  cursor?: string | null
  page?: number
  totalPages?: number
}

export function useContactList() {
  const { projectId, api } = useApi()
  const [state] = useSearchState<'search' | 'subscribed' | 'where' | 'cursor' | 'page'>()
  const { search = '', subscribed = '', cursor } = state
  const condition = parseCondition(state.where)
  const page = Number(state.page) || 1
  const filters = { search: search || undefined, subscribed: (subscribed || undefined) as never }

  const loadMatching = async (page: number, pageSize: number): Promise<ContactListPage> => {
    const combined = combineFilters(condition!, search, subscribed) as never
    const { count, sample } = await unwrap(api.segments.preview({ condition: combined, page, pageSize }))
    return { data: sample, total: count, page, totalPages: Math.ceil(count / pageSize) }
  }
  const list = useQuery<ContactListPage>({
    queryKey: [projectId, 'contacts', { ...filters, cursor, page, where: state.where }],
    queryFn: () =>
      condition ? loadMatching(page, PAGE_SIZE) : unwrap(api.contacts.list({ limit: PAGE_SIZE, cursor, ...filters })),
    placeholderData: keepPreviousData,
  })

  /** The IDs of all contacts of the list, up to the maximum of one bulk job. */
  async function loadAllIds(): Promise<string[]> {
    const ids: string[] = []
    if (!condition) {
      for await (const { id } of api.contacts.all(filters)) if (ids.push(id) >= SELECTION_MAX) break
      return ids
    }
    for (let page = 1; page <= SELECTION_MAX / LOAD_PAGE_SIZE; page++) {
      const { data, totalPages } = await loadMatching(page, LOAD_PAGE_SIZE)
      ids.push(...data.map(({ id }) => id))
      if (page >= totalPages!) break
    }
    return ids
  }

  return {
    list,
    loadAllIds,
    condition,
    filtered: search !== '' || subscribed !== '' || condition !== undefined,
    /** Changes with the list, which resets the selection. */
    listKey: JSON.stringify(state),
  }
}
