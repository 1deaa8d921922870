/**
 * Sends one request, with authentication and retries. An error of the API is returned as a result and not thrown. Needs
 * only `fetch`, so it runs in Node, browsers and edge runtimes.
 */
import { asError, type PosthornError } from './errors.ts'
import { fetchWithRetries } from './retries.ts'
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

export interface Unchanged {
  /** The `updatedAt` that you read: if the resource was changed since then, the error is `PRECONDITION_FAILED`. */
  unchangedSince?: string | undefined
}

export interface Input<P extends Place> extends Unchanged {
  path?: Record<string, string>
  query?: Query<P>
  body?: Body<P>
  /** Sent as multipart form data instead of `body`, for files. */
  form?: FormData
  /** Sent as `Idempotency-Key`, which makes it safe to retry the request. */
  idempotencyKey?: string
  /** Returns the first response to the same request again, instead of an error that the key was used. */
  replay?: boolean | undefined
  /** Whether the request can be retried because sending it twice has no further effect. */
  repeatable?: boolean
  as?: 'json' | 'text' | 'blob'
  signal?: AbortSignal
}

export type Call = <P extends Place>(place: P, input?: Input<P>) => Promise<Result<Answer<P>>>

const RETRYABLE_METHODS = ['GET', 'PUT', 'DELETE', 'PATCH']
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000'

export function createCall(key: string | undefined, options: ClientOptions): Call {
  const baseUrl = (options.baseUrl ?? DEFAULT_BASE_URL).replace(/\/$/, '')
  return async (place, input = {}) => {
    const [method = '', path = ''] = place.split(' ')
    const invalid = path.match(/(?<=\{)\w+(?=\})/g)?.find((name) => !isPathSegment(input.path?.[name]))
    if (invalid) return { error: invalidPathParameter(invalid) }
    try {
      const request = new Request(baseUrl + filledPath(path, input.path) + queryString(input.query), {
        method,
        body: input.form ?? JSON.stringify(input.body),
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(options.projectId ? { 'x-project-id': options.projectId } : {}),
          ...(input.idempotencyKey ? { 'idempotency-key': input.idempotencyKey } : {}),
          ...(input.unchangedSince ? { 'if-match': `"${input.unchangedSince}"` } : {}),
          ...(input.replay ? { 'idempotency-replay': 'true' } : {}),
          // With a form, the browser sets the content type and its boundary. An unknown field is refused instead of ignored.
          ...(input.body !== undefined && !input.form
            ? { 'content-type': 'application/json', prefer: 'handling=strict' }
            : {}),
        },
      })
      const response = await fetchWithRetries(request, {
        retries: options.retries ?? 2,
        timeoutMs: options.timeoutMs ?? 30_000,
        repeatable:
          RETRYABLE_METHODS.includes(method) || input.idempotencyKey !== undefined || input.repeatable === true,
        signal: input.signal,
        fetch: options.fetch ?? ((request) => fetch(request)),
      })
      if (!response.ok) return { error: asError(parsedIfJson(await response.text()), response) }
      return { data: (await contentOf(response, input.as)) as never }
    } catch (error) {
      return { error: asError(error) }
    }
  }
}

const filledPath = (path: string, values: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** A list is sent as one parameter for each of its values. */
function queryString(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  }
  return String(search) && `?${search}`
}

async function contentOf(response: Response, as: Input<Place>['as'] = 'json'): Promise<unknown> {
  if (response.status === 204) return undefined
  if (as !== 'json') return response[as]()
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** A proxy in front of the service may respond with something else. */
function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An empty segment, `.` or `..` would change the path. */
const isPathSegment = (value: string | undefined) => value !== undefined && !/^\.{0,2}$/.test(value)

const invalidPathParameter = (name: string): PosthornError => ({
  code: 'INVALID_ARGUMENT',
  message: `"${name}" is part of the URL and must not be empty, "." or "..".`,
  statusCode: 0,
})
