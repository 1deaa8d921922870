/**
 * A route is plain data: where it lives, who may call it, what goes in and out, and the one thing it does.
 * The server, the validation and the OpenAPI document are all made from the same list.
 */
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type FieldProblem, invalid, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
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

/** Path parameters: the name of the resource an id belongs to, or free text. */
export type PathParams = Record<string, { resource: string } | 'text'>

export const idOf = (resource: string) => ({ resource })

export interface Caller {
  /** The project the call acts on; empty for `open` and `session` routes. */
  projectId: string
  /** Set when a person's session makes the call. */
  userId?: string
  sessionId?: string
  /** Claimed for this request: its effect completes it in the same statement. */
  idempotencyKey?: IdempotencyClaim
  /** What the route's `sharedRead` selects, if it was read together with the caller's key. */
  rows?: unknown[]
}

/** A read in the same statement that looks up the caller's key: one round trip instead of two. */
export interface SharedRead {
  /** The statement is prepared under this name. */
  name: string
  /** Selects the rows of the project that the expression stands for, with an `id` that is never null. */
  rows(projectId: RawBuilder<string>): RawBuilder<unknown>
}

export interface RequestFacts {
  requestId: string
  /** A HEAD is answered by the route of its GET. */
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

/** An answer with a status, headers or a type of its own. Anything else a handler returns is the JSON of the lowest status listed. */
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
  /** JSON unless `contentType` says otherwise; absent for an empty reply. */
  schema?: z.ZodType
  contentType?: string
}

export interface Route<
  /** The services its handler needs. A list of routes can be described without them, but not served. */
  S = never,
  P extends PathParams = PathParams,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  U extends Upload | undefined = Upload | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/contacts/{id}`; a literal path always wins over a parameter. */
  path: string
  access: Access
  /** The least role a member's session needs; a key has every right in its own project. */
  role?: Role
  /** Takes an `Idempotency-Key` header. */
  idempotent?: boolean
  /** Its statement may take seconds, such as the evaluation of a condition: a project runs only a few of these at a time. */
  expensive?: boolean
  /** A POST that changes nothing, so a disabled project may call it. */
  readOnly?: boolean
  /** For `own-project` routes whose path does not name the project: finds it for a session, or nothing. */
  findProject?: (
    ctx: Context,
    input: { params: Record<string, string>; body: unknown; userId: string },
  ) => Promise<string | undefined>
  /** For a GET whose time is mostly round trips. Its handler finds the rows in the caller, or reads them itself. */
  sharedRead?: (query: z.output<Q>) => SharedRead | undefined
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  bodyLimitBytes?: (ctx: Context) => number
  /** Takes one file as multipart/form-data instead of JSON; `body`, with a `z.file()`, then only describes the form. */
  upload?: U
  /**
   * Takes the form of a page, or a mail program's one-click post, from anywhere: what it may do must be proved by the
   * path, because a cookie proves nothing here.
   */
  form?: boolean
  /**
   * Gets the body as the text it came as, whatever its declared type, from anywhere: for senders that prove themselves
   * by signing what they send.
   */
  raw?: boolean
  /** By status; the lowest is the one that a plain result answers with. */
  replies: Record<number, Reply>
  /** Statuses it may refuse with, beyond those its access, params and body imply. */
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

// Turns what zod found into the contract's words: a dot path, a plain sentence and one of a few stable codes.
// A schema may name its own code and message through `params: {code}`.

type Issue = z.core.$ZodIssue

export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw invalid(result.error.issues.flatMap((issue) => toProblems(issue, [])))
}

/** An id that cannot exist is an id that does not exist. */
export function validateParams(expected: PathParams, given: Record<string, string>): Record<string, string> {
  for (const [name, kind] of Object.entries(expected)) {
    if (kind !== 'text' && !isId(given[name] ?? '')) throw notFound(kind.resource, given[name] ?? '')
  }
  return given
}

function toProblems(issue: Issue, base: PropertyKey[]): FieldProblem[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => toProblems(inner, path))
  }
  const received = receivedOf(issue, path)
  return [
    {
      field: path.map(String).join('.'),
      message: messageOf(issue),
      code: codeOf(issue),
      ...(received === undefined ? {} : { received }),
    },
  ]
}

/** Of a union's branches, the one that got furthest: it did not fail on the value's very type. */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
  const rightType = branches.filter((issues) => !issues.some(failsOnType))
  return rightType.sort((a, b) => a.length - b.length)[0]
}

function failsOnType(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && closestBranch(issue.errors) === undefined)
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'invalid_type'
    case 'too_small':
    case 'too_big':
      return issue.code
    case 'invalid_format':
      return 'invalid_string'
    case 'invalid_value':
      return issue.values.some((value) => typeof value === typeof issue.input) ? 'invalid_enum_value' : 'invalid_type'
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'custom'
    default:
      return 'custom'
  }
}

function messageOf(issue: Issue): string {
  const missing = 'input' in issue && issue.input === undefined
  if (missing && (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')) {
    return 'This field is required.'
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  return issue.message.replace(/^Invalid input: expected /, 'Must be of type ').replace(/, received .*$/, '')
}

/** What came in: the type where the type is wrong, else a short value. Long or secret-looking input is not echoed. */
function receivedOf(issue: Issue, path: PropertyKey[]): unknown {
  const input = issue.input
  if (/password|secret|token/i.test(String(path.at(-1)))) return undefined
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') return typeName(input)
  if (typeof input === 'string') return input.length <= 100 ? input : undefined
  return typeof input === 'number' || typeof input === 'boolean' ? input : undefined
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
