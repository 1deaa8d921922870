/** After signing in, opens the page that the user asked for. Only paths of the dashboard are accepted. */
import { useRouter, useSearch } from '@tanstack/react-router'
import { APP_PATH, queryClient } from '../../data/api.ts'

export function useRedirect(): () => void {
  const { history } = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  return () => {
    queryClient.clear()
    history.push(APP_PATH + (next?.startsWith('/') ? next : '/'))
  }
}
