/** The contacts that the list shows, by search, subscription, condition and order, and the condition that selects all of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Condition, parseCondition } from '../../conditions/condition.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { combineFilters, isAddress } from './combine-filters.ts'

type Contact = Schemas['Contact']

const PAGE_SIZE = 50

interface ContactListPage {
  data: Contact[]
  total: number
  cursor?: string | null
  page?: number
  pageSize?: number
  totalPages?: number
}

/** What identifies a list in the address; the page is not part of it. */
export const LIST_STATE = ['search', 'subscribed', 'where', 'sort'] as const

export function useContactList() {
  const { projectId, api } = useApi()
  const [state] = useSearchState<(typeof LIST_STATE)[number] | 'cursor' | 'page'>()
  const { search = '', subscribed = '', cursor } = state
  const condition = parseCondition(state.where)
  const page = Number(state.page) || 1
  const sort = (state.sort || undefined) as '-createdAt' | undefined
  const filters = { search: search || undefined, subscribed: (subscribed || undefined) as 'true' | 'false' | undefined }
  const everyone: Condition = combineFilters(condition, search, subscribed)
  // Without a condition and a search in the data, the list has an index and pages by cursor.
  const isIndexed = !condition && (search === '' || isAddress(search))

  const loadMatching = async (): Promise<ContactListPage> => {
    const request = { condition: everyone, page, pageSize: PAGE_SIZE, sort }
    const { count, sample } = await unwrap(api.segments.preview(request))
    return { data: sample, total: count, page, pageSize: PAGE_SIZE, totalPages: Math.ceil(count / PAGE_SIZE) }
  }
  const list = useQuery<ContactListPage>({
    queryKey: [projectId, 'contacts', { ...filters, cursor, page, sort, where: state.where }],
    queryFn: () =>
      isIndexed ? unwrap(api.contacts.list({ limit: PAGE_SIZE, cursor, sort, ...filters })) : loadMatching(),
    placeholderData: keepPreviousData,
  })
  return {
    list,
    condition,
    everyone,
    filtered: search !== '' || subscribed !== '' || condition !== undefined,
    /** Changes with the list, which resets the selection. */
    listKey: JSON.stringify([search, subscribed, state.where, sort, cursor, page]),
  }
}
