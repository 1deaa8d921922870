/** After the session ended: opens the sign-in page, which leads back to the current page. Drafts are restored there. */
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { accountPage } from '../addresses.ts'
import { useNavigate } from '../links.tsx'
import { queryClient } from './api.ts'

export function useSignInAgain(): () => void {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(() => {
    const { href, pathname } = router.state.location
    queryClient.clear()
    if (pathname === '/sign-in') return
    const next = href === '/' ? undefined : href
    void navigate(accountPage('/sign-in', { next }), { replace: true, ignoreBlocker: true })
  }, [navigate, router])
}
