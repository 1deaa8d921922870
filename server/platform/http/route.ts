/**
 * A route is plain data: its path, access, schemas and handler. The server, the validation and the OpenAPI document are
 * derived from the same list.
 */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { IdempotencyClaim } from '../database/idempotency-sql.ts'
import type { Upload, UploadedFile } from './read-upload.ts'

/**
 * Who may call a route.
 * - `open`: anyone.
 * - `public-key`: a project's `pk_` key, nothing else.
 * - `project`: a project's `sk_` key, or a member's session with `X-Project-Id`.
 * - `own-project`: as `project`, but the project is the one named by the path; strangers see 404.
 * - `session`: a signed-in person.
 */
export type Access = 'open' | 'public-key' | 'project' | 'own-project' | 'session'

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER'

/** Path parameters: the name of the resource that an id belongs to, or free text. */
export type PathParams = Record<string, { resource: string } | 'text'>

export const idOf = (resource: string) => ({ resource })

export interface Caller {
  /** The project that the call acts on; empty for `open` and `session` routes. */
  projectId: string
  /** Set if a user's session makes the call. */
  userId?: string
  sessionId?: string
  /** Claimed for this request: the statement with its effect completes it. */
  idempotencyKey?: IdempotencyClaim
}

export interface RequestFacts {
  requestId: string
  /** HEAD requests are handled by the GET route. */
  method: string
  ip: string
  headers: Record<string, string | string[] | undefined>
}

export interface Input<P, Q, B> {
  caller: Caller
  params: Record<keyof P & string, string>
  query: Q
  body: B
  facts: RequestFacts
}

/**
 * A response with its own status, headers or content type. Any other result of a handler is returned as JSON with the
 * lowest status listed.
 */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string | string[]>

  constructor(status: number, body: unknown, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export interface Reply {
  description: string
  /** JSON unless `contentType` is set; absent for an empty response. */
  schema?: z.ZodType
  contentType?: string
}

export interface Route<
  /** The services that its handler needs. Routes can be described without them, but not served. */
  S = never,
  P extends PathParams = PathParams,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  U extends Upload | undefined = Upload | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/contacts/{id}`; a literal path always takes precedence over a parameter. */
  path: string
  access: Access
  /** The minimum role of a member's session; a key has all rights in its project. */
  role?: Role
  /** Accepts an `Idempotency-Key` header. */
  idempotent?: boolean
  /** A POST that changes nothing, so disabled projects can call it. */
  readOnly?: boolean
  /** For `own-project` routes without the project in the path: finds it for a session, or returns undefined. */
  findProject?: (
    ctx: Context,
    input: { params: Record<string, string>; body: unknown; userId: string },
  ) => Promise<string | undefined>
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  bodyLimitBytes?: (ctx: Context) => number
  /** Accepts one file as multipart/form-data instead of JSON; `body`, with a `z.file()`, only describes the form. */
  upload?: U
  /**
   * Accepts a form or a mail client's one-click request from any origin: the path must prove the permission, because a
   * cookie proves nothing here.
   */
  form?: boolean
  /** Gets the body as text, whatever its declared type, from any origin: for senders that sign their requests. */
  raw?: boolean
  /** By status; a plain result is returned with the lowest. */
  replies: Record<number, Reply>
  /** Statuses it can refuse with, in addition to those implied by its access, params and body. */
  refusals?: number[]
  handle(
    ctx: Context,
    input: Input<P, z.output<Q>, z.output<B>> & (U extends Upload ? { file: UploadedFile } : unknown),
    services: S,
  ): unknown
}

export const route = <
  S,
  const P extends PathParams = Record<never, never>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  U extends Upload | undefined = undefined,
>(
  spec: Route<S, P, Q, B, U>,
): Route<S> => spec as unknown as Route<S>
