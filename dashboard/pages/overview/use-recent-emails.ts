/** The most recent emails, updated as they are sent, delivered and opened. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { concernsEmails, useLiveQueries } from '../../data/live.ts'
import { useApi } from '../../data/project.ts'

export function useRecentEmails() {
  const { projectId, api } = useApi()
  const queryKey = [projectId, 'emails', 'recent']
  useLiveQueries([queryKey], concernsEmails)
  return useQuery({ queryKey, queryFn: () => unwrap(api.emails.list({ limit: 8 })) })
}
