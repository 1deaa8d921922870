/** What a tool is. Its `run` calls the API, so scopes, limits, validation and the audit log are those of every request. */
import { z } from 'zod'

export interface ApiResponse {
  status: number
  body: unknown
}

export type ApiCall = (
  method: string,
  path: string,
  input?: { query?: Record<string, unknown>; body?: unknown },
) => Promise<ApiResponse>

/** Reported to the model as the result of the tool, so that it can correct itself. */
export class ToolError extends Error {}

export interface Api {
  /** The body of a response; throws a `ToolError` if the API refuses the request. */
  get: (path: string, query?: Record<string, unknown>) => Promise<Record<string, unknown>>
  send: (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<Record<string, unknown>>
  call: ApiCall
}

/** The fields of a result that a model can rely on, with their JSON types. There can be more. */
export type Result = Record<string, 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object'>

/** A page of a list. */
export const LIST: Result = { data: 'array', total: 'integer' }

export interface Tool {
  name: string
  description: string
  input: z.ZodObject
  /** Without it, the result can be anything. */
  result?: Result | undefined
  /** A key needs one of these; none for what every key may do. */
  scopes: string[]
  readOnly: boolean
  destructive: boolean
  run: (api: Api, args: never) => Promise<unknown>
}

interface Draft<S extends z.ZodRawShape> {
  name: string
  description: string
  input: S
  result?: Result
  scopes?: string[]
  /** What it does to the project; by default nothing. */
  effect?: 'adds' | 'destroys'
  run: (api: Api, args: z.output<z.ZodObject<S>>) => Promise<unknown>
}

export const tool = <S extends z.ZodRawShape>({ input, scopes = [], effect, run, ...rest }: Draft<S>): Tool => ({
  ...rest,
  input: z.strictObject(input),
  scopes,
  readOnly: effect === undefined,
  destructive: effect === 'destroys',
  run: run as Tool['run'],
})

export function apiOf(call: ApiCall): Api {
  const unwrap = async (response: Promise<ApiResponse>) => {
    const { status, body } = await response
    if (status >= 400) throw new ToolError(sentenceOf(status, body))
    return (typeof body === 'object' && body !== null ? body : { result: body }) as Record<string, unknown>
  }
  return {
    call,
    get: (path, query) => unwrap(call('GET', path, { query })),
    send: (method, path, body) => unwrap(call(method, path, { body })),
  }
}

function sentenceOf(status: number, body: unknown): string {
  const reported = (body as { error?: unknown } | undefined)?.error
  if (typeof reported === 'string') return `${status}: ${reported}`
  const { code, message, errors, suggestion } = (reported ?? {}) as {
    code?: string
    message?: string
    errors?: { field: string; message: string }[]
    suggestion?: string
  }
  const fields = (errors ?? []).map(({ field, message }) => `${field}: ${message}`)
  return [`${status} ${code ?? ''}: ${message ?? 'The request was refused.'}`, ...fields, suggestion]
    .filter(Boolean)
    .join('\n')
}

export const segment = (text: string) => encodeURIComponent(text)
