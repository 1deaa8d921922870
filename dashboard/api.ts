/**
 * The way to the service: the same client everyone else uses, with the person's session. Where the service stands is
 * read from the document, so the dashboard works below any path.
 */
import { Posthorn, type PosthornError, PosthornFailure, type Schemas, unwrap } from '@posthorn/sdk'
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'

export { type PosthornError, PosthornFailure, type Schemas, unwrap }

/** `https://host/below/app/`; kept as it was at the start, before any navigation. */
const APP = new URL(document.baseURI)
export const APP_PATH = APP.pathname.replace(/\/$/, '')
export const SERVICE_URL = new URL('..', APP).href.replace(/\/$/, '')

const DOWNLOAD_WITHIN_MS = 30 * 60_000

/** For what belongs to the person, not to a project. */
export const person = new Posthorn({ baseUrl: SERVICE_URL })

const clients = new Map<string, Posthorn>()

export function inProject(projectId: string): Posthorn {
  const made = clients.get(projectId) ?? new Posthorn({ baseUrl: SERVICE_URL, projectId })
  clients.set(projectId, made)
  return made
}

/** For large files: the same, with patience. */
export const downloadsIn = (projectId: string): Posthorn =>
  new Posthorn({ baseUrl: SERVICE_URL, projectId, timeoutMs: DOWNLOAD_WITHIN_MS })

/** The client itself tries again; a second layer of that would only make people wait. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
})

export const errorOf = (thrown: unknown): PosthornError =>
  thrown instanceof PosthornFailure
    ? thrown.error
    : { code: 'UNEXPECTED', message: thrown instanceof Error ? thrown.message : String(thrown), statusCode: 0 }

export const isSignedOut = (thrown: unknown): boolean => errorOf(thrown).statusCode === 401

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(person.auth.me()),
  staleTime: 60_000,
})

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: () => unwrap(person.projects.list()),
  staleTime: 60_000,
})

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => unwrap(person.service.config()),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useConfig = () => useQuery(configQuery).data

/** Secret keys are shown once. Those made in this window are remembered until it closes, so that examples can hold them. */
const secrets = new Map<string, string>()
export const rememberSecret = (projectId: string, secret: string) => secrets.set(projectId, secret)
export const rememberedSecret = (projectId: string) => secrets.get(projectId)
