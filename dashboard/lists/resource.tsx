/** A page about one resource: a spinner until it is loaded, and an error page if loading fails. */
import type { Result } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Address } from '../addresses.ts'
import { unwrap } from '../data/api.ts'
import { errorOf } from '../data/errors.ts'
import { useId, useProjectId } from '../data/project.ts'
import { EditingToo } from '../saving/editing-too.tsx'
import { Loading, Page } from '../shell/page.tsx'
import { errorTexts, sharedTexts } from '../shell/texts.ts'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from './empty-state.tsx'
import { Problem } from './problem.tsx'

interface ErrorPage {
  /** The title of the error page. */
  title: string
  back: { to: Address; label: string }
}

interface ResourceProps<T> extends ErrorPage {
  query: { data: T | undefined; error: unknown; refetch(): unknown }
  children(resource: T): ReactNode
}

export function Resource<T>({ query, title, back, children }: ResourceProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  if (errorOf(query.error).statusCode === NOT_FOUND) return <Missing title={title} back={back} />
  return (
    <Page title={title} back={back}>
      <Problem error={query.error} retry={() => void query.refetch()} />
    </Page>
  )
}

const NOT_FOUND = 404

/** Retrying can't help, so this page only links back. */
const Missing = ({ title, back }: ErrorPage) => (
  <div className="py-10">
    <title>{sharedTexts.pageTitle(title)}</title>
    <Empty
      isPage
      icon={SearchX}
      title={errorTexts.missing(title)}
      actions={
        <LinkButton kind="primary" to={back.to}>
          {errorTexts.backTo(back.label)}
        </LinkButton>
      }
    >
      {errorTexts.notFound}
    </Empty>
  </div>
)

interface EditedResourceProps<T> extends ErrorPage {
  /** The start of its query key, such as `templates`. */
  of: 'templates' | 'layouts' | 'campaigns' | 'segments' | 'forms'
  load(id: string): Promise<Result<T>>
  children(resource: T, id: string): ReactNode
}

/**
 * The resource of an editor, by the ID in the URL. A copy from the cache may be outdated, and saving it would revert
 * newer changes, so the editor always loads the stored version.
 */
export function EditedResource<T>({ of, load, children, ...errorPage }: EditedResourceProps<T>) {
  const projectId = useProjectId()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, of, id],
    queryFn: () => unwrap(load(id)),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })
  if (!query.isFetchedAfterMount) return <Loading />
  return (
    <Resource query={query} {...errorPage}>
      {(resource) => (
        <>
          {children(resource, id)}
          <EditingToo kind={of} id={id} />
        </>
      )}
    </Resource>
  )
}
