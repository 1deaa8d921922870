/** Choices that the server searches. Only the result of the last search counts, in whatever order the responses arrive. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProjectId } from '../data/project.ts'
import { useDebounced } from '../data/use-debounced.ts'
import type { Choice } from './combobox.tsx'

const DEBOUNCE_MS = 200

/** `load` gets an empty search for the list that is shown before anything is typed. */
export function useServerChoices(kind: string, load: (search: string) => Promise<Choice[]>) {
  const projectId = useProjectId()
  /** Nothing is loaded until the list is opened. */
  const [text, setText] = useState<string>()
  const typed = text?.trim()
  const debounced = useDebounced(typed, DEBOUNCE_MS)
  const search = typed === '' ? '' : debounced
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: [projectId, kind, 'choices', search],
    enabled: search !== undefined,
    queryFn: () => load(search ?? ''),
    placeholderData: keepPreviousData,
  })
  return {
    choices: data ?? [],
    isSearching: search !== typed || isPlaceholderData || (data === undefined && !isError),
    hasFailed: isError,
    onSearch: setText,
  }
}
