/** What the contacts of a project have in common: how many there are, and their fields. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from './api.ts'
import { useApi } from './project.ts'

export function useContactTotal() {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'contacts', 'total'],
    queryFn: async () => (await unwrap(api.contacts.list({ limit: 1 }))).total,
  })
}

export function useContactFields() {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'contacts', 'fields'],
    queryFn: async () => (await unwrap(api.contacts.fields.list())).fields,
  })
}

/** The names of the fields in the data of contacts. */
export function useCustomFields(): string[] {
  const { data = [] } = useContactFields()
  return data.flatMap(({ field, isCustom }) => (isCustom ? [field.slice('data.'.length)] : []))
}
