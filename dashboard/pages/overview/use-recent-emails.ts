/** The most recent emails, updated as they are sent, delivered and opened. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../api.ts'
import { concernsEmails, useLiveQueries } from '../../live.ts'
import { useApi } from '../../project.ts'

export function useRecentEmails() {
  const { projectId, api } = useApi()
  const queryKey = [projectId, 'emails', 'recent']
  useLiveQueries([queryKey], concernsEmails)
  return useQuery({ queryKey, queryFn: () => unwrap(api.emails.list({ limit: 8 })) })
}
