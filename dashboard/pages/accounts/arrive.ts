/** After signing in: to where the person wanted to go. The address comes from outside, so it is taken below our own alone. */
import { useRouter, useSearch } from '@tanstack/react-router'
import { APP_PATH, queryClient } from '../../api.ts'

export function useArrive(): () => void {
  const { history } = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  return () => {
    queryClient.clear()
    history.push(APP_PATH + (next?.startsWith('/') ? next : '/'))
  }
}
