/** Contacts whose address contains a text, and then those that have it in their name or other data. */
import { type Schemas, unwrap } from '../data/api.ts'
import type { useApi } from '../data/project.ts'
import { wordFilters } from './word-filters.ts'

type Api = ReturnType<typeof useApi>['api']
type Contact = Schemas['Contact']

export async function findContacts(api: Api, search: string, max: number): Promise<Contact[]> {
  const { data: byAddress } = await unwrap(api.contacts.list({ search: search || undefined, limit: max }))
  if (search === '' || byAddress.length >= max) return byAddress
  // An address can't be in other fields. A search in the data reads all contacts, so that it may take too long with millions.
  if (search.includes('@')) return byAddress
  const condition = { logic: 'AND' as const, groups: [{ filters: wordFilters(search) }] }
  const { data: found } = await api.segments.preview({ condition, page: 1, pageSize: max })
  return withoutRepetitions([...byAddress, ...(found?.sample ?? [])]).slice(0, max)
}

export const withoutRepetitions = <T extends { id: string }>(items: T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]
