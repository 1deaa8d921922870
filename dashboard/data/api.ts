/**
 * The API clients of the dashboard: the public SDK with the session of the signed-in user. The address of the service is
 * read from the document, so the dashboard works under any path.
 */
import { Posthorn, type PosthornError, PosthornFailure, type Schemas, unwrap } from '@posthorn/sdk'
import { QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { reportFailure } from './connection-events.ts'
import { errorOf } from './errors.ts'

export { type PosthornError, PosthornFailure, type Schemas, unwrap }

/** `https://host/path/app/`, read before any navigation. */
const APP = new URL(document.baseURI)
export const APP_PATH = APP.pathname.replace(/\/$/, '')
export const SERVICE_URL = new URL('..', APP).href.replace(/\/$/, '')

const DOWNLOAD_TIMEOUT_MS = 30 * 60_000

/** For the user's account and for projects as a whole. */
export const userApi = new Posthorn({ baseUrl: SERVICE_URL })

const clients = new Map<string, Posthorn>()

export function inProject(projectId: string): Posthorn {
  const client = clients.get(projectId) ?? new Posthorn({ baseUrl: SERVICE_URL, projectId })
  clients.set(projectId, client)
  return client
}

/** The same client with a longer timeout, for large files. */
export const downloadsIn = (projectId: string): Posthorn =>
  new Posthorn({ baseUrl: SERVICE_URL, projectId, timeoutMs: DOWNLOAD_TIMEOUT_MS })

/** The SDK already retries; a second layer would only delay the error message. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => reportFailure(errorOf(error)) }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(userApi.auth.me()),
  staleTime: 60_000,
})

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: () => unwrap(userApi.projects.list()),
  staleTime: 60_000,
})

const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => unwrap(userApi.service.config()),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useConfig = () => useQuery(configQuery).data

/** Secret keys are shown once. Keys created in this window are kept until it closes, so that examples can include them. */
const secrets = new Map<string, string>()
export const rememberSecret = (projectId: string, secret: string) => secrets.set(projectId, secret)
export const rememberedSecret = (projectId: string) => secrets.get(projectId)
