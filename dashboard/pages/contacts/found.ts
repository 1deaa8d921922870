/** Which contacts the list shows: by address, subscription and condition; and all of them, for acts on many. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../api.ts'
import { readCondition } from '../../parts/condition.ts'
import { useApi, useSearchState } from '../../project.ts'
import { narrowed } from './narrowed.ts'

type Contact = Schemas['Contact']

const PAGE_SIZE = 50
/** As many as one job takes. */
export const CHOSEN_MAX = 1_000
const MOST_AT_ONCE = 100

interface Found {
  data: Contact[]
  total: number
  cursor?: string | null
  page?: number
  totalPages?: number
}

export function useFound() {
  const { projectId, api } = useApi()
  const [state] = useSearchState<'search' | 'subscribed' | 'where' | 'cursor' | 'page'>()
  const { search = '', subscribed = '', cursor } = state
  const where = readCondition(state.where)
  const page = Number(state.page) || 1
  const plain = { search: search || undefined, subscribed: (subscribed || undefined) as never }

  const matching = async (page: number, pageSize: number): Promise<Found> => {
    const condition = narrowed(where!, search, subscribed) as never
    const { count, sample } = await unwrap(api.segments.preview({ condition, page, pageSize }))
    return { data: sample, total: count, page, totalPages: Math.ceil(count / pageSize) }
  }
  const list = useQuery<Found>({
    queryKey: [projectId, 'contacts', { ...plain, cursor, page, where: state.where }],
    queryFn: () =>
      where ? matching(page, PAGE_SIZE) : unwrap(api.contacts.list({ limit: PAGE_SIZE, cursor, ...plain })),
    placeholderData: keepPreviousData,
  })

  /** The ids of everyone the list would show, page after page, up to what one job takes. */
  async function everyId(): Promise<string[]> {
    const ids: string[] = []
    if (!where) {
      for await (const { id } of api.contacts.all(plain)) if (ids.push(id) >= CHOSEN_MAX) break
      return ids
    }
    for (let page = 1; page <= CHOSEN_MAX / MOST_AT_ONCE; page++) {
      const { data, totalPages } = await matching(page, MOST_AT_ONCE)
      ids.push(...data.map(({ id }) => id))
      if (page >= totalPages!) break
    }
    return ids
  }

  return {
    list,
    everyId,
    where,
    filtered: search !== '' || subscribed !== '' || where !== undefined,
    /** Another list: what was chosen on the last one is not on it. */
    place: JSON.stringify(state),
  }
}
