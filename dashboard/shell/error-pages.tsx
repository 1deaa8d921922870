/** The pages for an unknown address and for a page that failed. */
import { Compass } from 'lucide-react'
import { useEffect } from 'react'
import { accountPage } from '../addresses.ts'
import { isSignedOut } from '../data/errors.ts'
import { useSignInAgain } from '../data/use-sign-in-again.ts'
import { Empty } from '../lists/empty-state.tsx'
import { Problem } from '../lists/problem.tsx'
import { LinkButton } from '../ui/button.tsx'
import { ProductMark } from './horn.tsx'
import { Page } from './page.tsx'
import { errorTexts, sharedTexts } from './texts.ts'

export function NotFoundPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14vh] pb-10">
      <title>{sharedTexts.pageTitle(errorTexts.notFoundTitle)}</title>
      <ProductMark />
      <div className="w-full max-w-sm rounded-card border border-line bg-card shadow-lift" data-appear>
        <Empty
          isPage
          icon={Compass}
          title={errorTexts.notFoundTitle}
          actions={
            <LinkButton kind="primary" to={accountPage('/')}>
              {errorTexts.home}
            </LinkButton>
          }
        >
          {errorTexts.notFound}
        </Empty>
      </div>
    </main>
  )
}

/** The code of the page could not be loaded; the browser remembers the failure until the next reload. */
const isUnloaded = (error: unknown) =>
  error instanceof TypeError && /dynamically imported|Importing a module/.test(error.message)

export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const signInAgain = useSignInAgain()
  const signedOut = isSignedOut(error)
  useEffect(() => {
    if (signedOut) signInAgain()
  }, [signedOut, signInAgain])
  if (signedOut) return null
  return (
    <Page title={errorTexts.failedTitle}>
      <Problem error={error} retry={isUnloaded(error) ? () => window.location.reload() : reset} />
    </Page>
  )
}
