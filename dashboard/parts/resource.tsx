/** A page about one resource: a spinner until it is loaded, and an error page if loading fails. */
import type { ReactNode } from 'react'
import { Loading, Page } from './page.tsx'
import { Problem } from './problem.tsx'

interface ResourceProps<T> {
  query: { data: T | undefined; error: unknown; isFetchedAfterMount?: boolean; refetch(): unknown }
  /** For editors: a copy from the cache may be outdated, and saving it would revert the changes since. */
  isLatest?: boolean
  /** The title of the error page. */
  title: string
  back: { to: string; label: string }
  children(resource: T): ReactNode
}

export function Resource<T>({ query, isLatest = false, title, back, children }: ResourceProps<T>) {
  if (isLatest && !query.isFetchedAfterMount) return <Loading />
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  return (
    <Page title={title} back={back}>
      <Problem error={query.error} retry={() => void query.refetch()} />
    </Page>
  )
}
