/**
 * Sends one request, with authentication and retries. An error of the API is returned as a result and not thrown. Needs
 * only `fetch`, so it runs in Node, browsers and edge runtimes.
 */
import createClient from 'openapi-fetch'
import { asError, type PosthornError } from './errors.ts'
import { fetchWithRetries, type RetryPlan } from './retries.ts'
import type { Answer, Body, Place, Query } from './shapes.ts'

export interface ClientOptions {
  /** The URL of the service, including its path if it has one: `https://mail.example.com`. */
  baseUrl?: string
  /** The project to use, for a signed-in user in a browser. An API key already determines the project. */
  projectId?: string
  /** Maximum number of retries after a connection error, a timeout, 429 or 503. Defaults to 2. */
  retries?: number
  /** Timeout of each attempt in milliseconds. Defaults to 30,000. */
  timeoutMs?: number
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

export type Result<T> = { data: T; error?: undefined } | { data?: undefined; error: PosthornError }

export interface Input<P extends Place> {
  path?: Record<string, string>
  query?: Query<P>
  body?: Body<P>
  /** Sent as multipart form data instead of `body`, for files. */
  form?: FormData
  /** Sent as `Idempotency-Key`, which makes it safe to retry the request. */
  idempotencyKey?: string
  /** Whether the request can be retried because sending it twice has no further effect. */
  repeatable?: boolean
  as?: 'json' | 'text' | 'blob'
  signal?: AbortSignal
}

export type Call = <P extends Place>(place: P, input?: Input<P>) => Promise<Result<Answer<P>>>

const RETRYABLE_METHODS = ['GET', 'PUT', 'DELETE', 'PATCH']
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000'

type Request_ = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>

export function createCall(key: string | undefined, options: ClientOptions): Call {
  const client = createClient({
    baseUrl: options.baseUrl ?? DEFAULT_BASE_URL,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(options.projectId ? { 'x-project-id': options.projectId } : {}),
    },
    ...(key ? {} : { credentials: 'same-origin' as const }),
  })
  const request = client.request as unknown as Request_

  return async (place, input = {}) => {
    const [method = '', path = ''] = place.split(' ')
    const invalid = Object.entries(input.path ?? {}).find(([, value]) => !isPathSegment(value))
    if (invalid) return { error: invalidPathParameter(invalid[0]) }
    const plan: RetryPlan = {
      retries: options.retries ?? 2,
      timeoutMs: options.timeoutMs ?? 30_000,
      repeatable: RETRYABLE_METHODS.includes(method) || input.idempotencyKey !== undefined || input.repeatable === true,
      signal: input.signal,
      fetch: options.fetch ?? ((made) => fetch(made)),
    }
    try {
      const { data, error, response } = await request(method, path, {
        params: { path: input.path, query: input.query },
        body: input.form ?? input.body,
        ...(input.form ? { bodySerializer: (form: FormData) => form } : {}),
        headers: input.idempotencyKey ? { 'idempotency-key': input.idempotencyKey } : {},
        parseAs: input.as ?? 'json',
        fetch: (made: Request) => fetchWithRetries(made, plan),
      })
      return response.ok ? { data: data as never } : { error: asError(error, response) }
    } catch (error) {
      return { error: asError(error) }
    }
  }
}

/** An empty segment, `.` or `..` would change the path. */
const isPathSegment = (value: string) => !/^\.{0,2}$/.test(value)

const invalidPathParameter = (name: string): PosthornError => ({
  code: 'INVALID_ARGUMENT',
  message: `"${name}" is part of the URL and must not be empty, "." or "..".`,
  statusCode: 0,
})
