/**
 * One request: where it goes, who asks, how often it is tried, and what became of it. A refusal of the API is a
 * result, not an exception. Needs nothing but `fetch`, so it runs in Node, browsers and edge runtimes alike.
 */
import createClient from 'openapi-fetch'
import { asError, type PosthornError } from './errors.ts'
import { fetchWithRetries, type RetryPlan } from './retries.ts'
import type { Answer, Body, Place, Query } from './shapes.ts'

export interface ClientOptions {
  /** Where the service answers, a path included: `https://mail.example.com`. */
  baseUrl?: string
  /** For a signed-in person in a browser, instead of a key: the project the calls are about. */
  projectId?: string
  /** How often a request is repeated after trouble on the way; 2 unless you say otherwise. */
  retries?: number
  /** How long one try may take; 30 seconds unless you say otherwise. */
  timeoutMs?: number
  /** Another `fetch` than the global one. */
  fetch?: (request: Request) => Promise<Response>
}

export type Result<T> = { data: T; error?: undefined } | { data?: undefined; error: PosthornError }

export interface Input<P extends Place> {
  path?: Record<string, string>
  query?: Query<P>
  body?: Body<P>
  /** Sent as it is: a file. */
  form?: FormData
  /** Makes a repetition harmless, so that trouble on the way may be answered by trying again. */
  idempotencyKey?: string
  /** Doing it twice is the same as doing it once. */
  repeatable?: boolean
  as?: 'json' | 'text' | 'blob'
  signal?: AbortSignal
}

export type Call = <P extends Place>(place: P, input?: Input<P>) => Promise<Result<Answer<P>>>

const HARMLESS = ['GET', 'PUT', 'DELETE', 'PATCH']
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
    const wrong = Object.entries(input.path ?? {}).find(([, value]) => isNoSegment(value))
    if (wrong) return { error: notAnId(wrong[0]) }
    const plan: RetryPlan = {
      retries: options.retries ?? 2,
      timeoutMs: options.timeoutMs ?? 30_000,
      repeatable: HARMLESS.includes(method) || input.idempotencyKey !== undefined || input.repeatable === true,
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
    } catch (trouble) {
      return { error: asError(trouble) }
    }
  }
}

/** Such a segment would turn the address into another one. */
const isNoSegment = (value: string) => /^\.{0,2}$/.test(value)

const notAnId = (name: string): PosthornError => ({
  code: 'INVALID_ARGUMENT',
  message: `"${name}" must name something: it is part of the address.`,
  statusCode: 0,
})
