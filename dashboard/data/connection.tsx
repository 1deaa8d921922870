/**
 * What happens when a request fails for a reason that no page can handle: without a connection a notice is shown until
 * the service responds again, and after the session has ended the sign-in page leads back to the current page.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { connectionTexts } from '../shell/texts.ts'
import { Button } from '../ui/button.tsx'
import { connectionLost, sessionEnded } from './connection-events.ts'
import { isReachable, RETRY_MS } from './reachable.ts'
import { useSignInAgain } from './use-sign-in-again.ts'

/** The page moves down by the height of the notice, so that it covers nothing. */
function makeRoom(notice: HTMLElement | null): void {
  document.documentElement.style.setProperty('--notice', `${notice?.offsetHeight ?? 0}px`)
}

export function ConnectionGuard() {
  const queries = useQueryClient()
  const router = useRouter()
  const signInAgain = useSignInAgain()
  const [lost, setLost] = useState(false)
  // Pages outside projects, such as an invitation, are also for people who aren't signed in.
  useEffect(
    () => sessionEnded.listen(() => router.state.location.pathname.startsWith('/projects/') && signInAgain()),
    [router, signInAgain],
  )
  useEffect(() => connectionLost.listen(() => setLost(true)), [])
  useEffect(() => {
    const onOffline = () => setLost(true)
    window.addEventListener('offline', onOffline)
    return () => window.removeEventListener('offline', onOffline)
  }, [])
  const retry = async () => {
    if (!(await isReachable())) return
    setLost(false)
    void queries.invalidateQueries()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the latest state counts.
  useEffect(() => {
    if (!lost) return
    const timer = setInterval(() => void retry(), RETRY_MS)
    return () => clearInterval(timer)
  }, [lost])
  if (!lost) return null
  return (
    <div
      role="alert"
      ref={makeRoom}
      className="fixed inset-x-0 top-0 z-60 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-warn/30 bg-warn-wash px-4 py-1.5 text-sm"
    >
      <span className="flex items-center gap-2.5">
        <WifiOff className="size-4 shrink-0 text-warn" aria-hidden />
        {navigator.onLine ? connectionTexts.unreachable : connectionTexts.offline}
      </span>
      <Button onClick={() => void retry()}>{connectionTexts.retry}</Button>
    </div>
  )
}
