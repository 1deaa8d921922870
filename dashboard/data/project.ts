/** The project of a page: its ID is in the address; its client and its record come from here. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { SearchName } from '../addresses.ts'
import { useChangeSearch } from '../links.tsx'
import { inProject, projectsQuery } from './api.ts'

export function useProjectId(): string {
  return (useParams({ strict: false }) as { projectId: string }).projectId
}

/** The project's client. Query keys of a project start with its ID. */
export function useApi() {
  const projectId = useProjectId()
  return { projectId, api: inProject(projectId) }
}

/** Only below the project's layout, which renders its pages only if the project exists. */
export function useProject() {
  const projectId = useProjectId()
  const { data } = useSuspenseQuery(projectsQuery)
  return data.find((project) => project.id === projectId)!
}

/** Whether the user may change members, keys, domains, settings and billing. */
export const useCanManage = (): boolean => useProject().role !== 'MEMBER'

export function useId(name = 'id'): string {
  return (useParams({ strict: false }) as Record<string, string>)[name]!
}

/** The state of a list is kept in the address, so it survives reloads and can be shared as a link. */
export function useSearchState<K extends SearchName>(): [
  Partial<Record<K, string>>,
  (changes: Partial<Record<K, string | undefined>>, options?: { replace?: boolean }) => void,
] {
  const search = useSearch({ strict: false }) as Partial<Record<K, string>>
  const changeSearch = useChangeSearch()
  return [search, (changes, options = {}) => changeSearch((before) => withoutEmpty({ ...before, ...changes }), options)]
}

/** A dialog that adds something to a list. It is in the address, so that the command palette can open it. */
export function useAdding(): [isAdding: boolean, setAdding: (isAdding: boolean) => void] {
  const [{ add }, change] = useSearchState<'add'>()
  return [add !== undefined, (isAdding) => change({ add: isAdding ? '1' : undefined }, { replace: true })]
}

const withoutEmpty = (search: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value ? [[name, value]] : [])))
