/** Two pages nobody wants to see: an address that leads nowhere, and a page that broke. */
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useEffect } from 'react'
import { isSignedOut } from '../api.ts'
import { Empty } from './empty-state.tsx'
import { Page } from './page.tsx'
import { Problem } from './problem.tsx'
import { useSignInAgain } from './sign-in-again.ts'

export function Lost() {
  return (
    <main className="py-16">
      <title>Not found · Posthorn</title>
      <Empty
        icon={Compass}
        title="There is no such page"
        actions={
          <Link to="/" className="text-sm font-medium text-accent underline">
            To the start
          </Link>
        }
      >
        The address may be mistyped, or what was here is gone.
      </Empty>
    </main>
  )
}

export function Stumbled({ error, reset }: { error: unknown; reset?: () => void }) {
  const signInAgain = useSignInAgain()
  const over = isSignedOut(error)
  useEffect(() => {
    if (over) signInAgain()
  }, [over, signInAgain])
  if (over) return null
  return (
    <Page title="Something went wrong">
      <Problem error={error} retry={reset} />
    </Page>
  )
}
