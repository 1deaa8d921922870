/**
 * Every page with the parameters that its address can have. A link to a page that doesn't exist, or with a parameter that
 * it doesn't have, is a type error; router.tsx has the component of each.
 */

type Paging = 'cursor' | 'page' | 'first'

/** Pages outside any project, and what can follow `?`. */
export interface AccountPages {
  '/': never
  '/sign-in': 'next'
  '/sign-up': 'next' | 'invitation' | 'email'
  '/forgot-password': never
  '/reset-password': 'token'
  '/verify-email': 'token'
  '/accept-invitation': 'token'
  '/projects/new': never
}

/** Pages below `/projects/{projectId}`. */
export interface ProjectPages {
  '/': never
  contacts: Paging | 'search' | 'subscribed' | 'where' | 'sort' | 'add'
  'contacts/import': 'job'
  'contacts/move': never
  'contacts/fields': never
  'contacts/pending': Paging | 'search'
  'contacts/$id': never
  segments: Paging | 'search' | 'sort' | 'tag'
  'segments/new': 'where'
  'segments/$id': Paging
  'segments/$id/edit': never
  templates: Paging | 'search' | 'type' | 'sort' | 'tag'
  'templates/new': 'gallery'
  'templates/gallery': 'category'
  'templates/layouts': never
  'templates/layouts/$id': never
  'templates/$id': 'versions'
  campaigns: Paging | 'search' | 'status' | 'sort' | 'tag'
  'campaigns/new': 'segment'
  'campaigns/$id': Paging | 'status' | 'versions'
  'campaigns/$id/edit': 'versions'
  workflows: Paging | 'search' | 'sort' | 'tag' | 'add'
  'workflows/$id': Paging | 'tab' | 'status'
  'workflows/$id/executions/$executionId': never
  activity: 'type' | 'days' | 'contact'
  analytics: 'days' | 'show' | 'compare' | 'by'
  emails: Paging | 'search' | 'status' | 'source' | 'tag' | 'time' | 'from' | 'to'
  'emails/$id': 'tab'
  events: Paging | 'name' | 'show'
  domains: 'add'
  topics: 'add'
  forms: Paging
  'forms/new': never
  'forms/$id': Paging | 'tab'
  'forms/$id/edit': never
  suppressions: Paging | 'search' | 'reason' | 'add'
  webhooks: Paging | 'add'
  'webhooks/$id': Paging | 'status' | 'type' | 'time' | 'from' | 'to'
  requests: Paging | 'search' | 'method' | 'status' | 'key' | 'time' | 'from' | 'to'
  'requests/$id': never
  settings: Paging | 'tab' | 'act' | 'message'
}

export type ProjectPage = keyof ProjectPages

/** Any parameter of any page. */
export type SearchName = AccountPages[keyof AccountPages] | ProjectPages[ProjectPage]

/** The names of `$` segments. */
type InPath<P extends string> = P extends `${infer Start}/${infer Rest}`
  ? InPath<Start> | InPath<Rest>
  : P extends `$${infer Name}`
    ? Name
    : never

type PageParameters<P extends string, Search extends string> = { [Name in InPath<P>]: string } & {
  [Name in Search]?: string | undefined
}

/** No argument for a page without parameters, and an optional one if its path has none. */
type Given<P extends string, Search extends string> = [InPath<P> | Search] extends [never]
  ? []
  : [InPath<P>] extends [never]
    ? [parameters?: PageParameters<P, Search>]
    : [parameters: PageParameters<P, Search>]

/** Where a link leads. Made only here, so that it leads to a page. */
export interface Address {
  readonly to: string
  readonly search: Record<string, string>
  readonly [MADE_HERE]: true
}
declare const MADE_HERE: unique symbol

const addressOf = (path: string, parameters: Record<string, string | undefined> = {}): Address => {
  const isInPath = (name: string) => path.split('/').includes(`$${name}`)
  const search = Object.entries(parameters).filter(([name, value]) => !isInPath(name) && value)
  return {
    to: path.replaceAll(/\$(\w+)/g, (_, name: string) => parameters[name] ?? ''),
    search: Object.fromEntries(search),
  } as Address
}

export const accountPage = <P extends keyof AccountPages>(page: P, ...[parameters]: Given<P, AccountPages[P]>) =>
  addressOf(page, parameters)

export const projectPage = <P extends ProjectPage>(
  projectId: string,
  page: P,
  ...[parameters]: Given<P, ProjectPages[P]>
) => addressOf(`/projects/${projectId}${page === '/' ? '' : `/${page}`}`, parameters)

/** The current page without its parameters. */
export const SAME_PAGE = addressOf('.')
