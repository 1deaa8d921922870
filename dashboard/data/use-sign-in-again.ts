/** After the session ended: opens the sign-in page, which leads back to the current page. Drafts are restored there. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { queryClient } from './api.ts'

export function useSignInAgain(): () => void {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(() => {
    const { href, pathname } = router.state.location
    queryClient.clear()
    if (pathname === '/sign-in') return
    void navigate({
      to: '/sign-in',
      search: (href === '/' ? {} : { next: href }) as never,
      replace: true,
      ignoreBlocker: true,
    })
  }, [navigate, router])
}
