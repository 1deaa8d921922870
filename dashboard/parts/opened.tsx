/** A page about one thing: until it is there, when it cannot be had, and then the thing itself. */
import type { ReactNode } from 'react'
import { Loading, Page } from './page.tsx'
import { Problem } from './problem.tsx'

interface OpenedProps<T> {
  asked: { data: T | undefined; error: unknown; refetch(): unknown }
  /** Of the page while there is nothing else to call it. */
  title: string
  back: { to: string; words: string }
  children(thing: T): ReactNode
}

export function Opened<T>({ asked, title, back, children }: OpenedProps<T>) {
  if (asked.data !== undefined) return children(asked.data)
  if (asked.error === null) return <Loading />
  return (
    <Page title={title} back={back}>
      <Problem error={asked.error} retry={() => void asked.refetch()} />
    </Page>
  )
}
