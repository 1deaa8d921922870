/**
 * A route is plain data: its path, access, schemas and handler. The server, the validation and the OpenAPI document are
 * derived from the same list.
 */
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { type FieldProblem, invalid, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { type ANY_SCOPE, type CallerKey, type PublicKeyUpdates, type Scope, scopeOfTag } from '../../kernel/scopes.ts'
import type { IdempotencyClaim } from '../database/idempotency-sql.ts'
import type { Upload, UploadedFile } from './bodies/read-upload.ts'

/**
 * Who may call a route.
 * - `open`: anyone.
 * - `public-key`: a project's `pk_` key, or a `phk_` key with the scope of the route.
 * - `project`: a project's `sk_` key, a `phk_` key with the scope of the route, or a member's session with `X-Project-Id`.
 * - `own-project`: as `project`, but the project is the one named by the path; others get 404.
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
  /** Set if an API key other than the public key makes the call. */
  key?: CallerKey
  /** Whether visitors of a website may have the key: the public key, or one that can do nothing but track events. */
  isPublic?: boolean
  /** The project's setting, if `isPublic`. */
  publicKeyUpdates?: PublicKeyUpdates | undefined
  /** Claimed for this request: the statement with its effect completes it. */
  idempotencyKey?: IdempotencyClaim
  /** Its key was used before, and it asks for that response: returns it for the same body, or refuses the request. */
  repeated?: (fingerprint: Buffer) => CustomResponse
  /** The rows of the route's `sharedRead`, if they were read together with the caller's key. */
  rows?: unknown[]
}

/** A read in the same statement that looks up the caller's key: one round trip instead of two. */
export interface SharedRead {
  /** The statement is prepared under this name. */
  name: string
  /** Selects the rows of the given project, with an `id` that is never null. */
  rows(projectId: RawBuilder<string>): RawBuilder<unknown>
}

export interface RequestFacts {
  requestId: string
  /** HEAD requests are handled by the GET route. */
  method: string
  ip: string
  /** The version that the caller has read, if the route has `ifMatch`. */
  ifMatch: string | undefined
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
 * lowest status listed; a buffer contains JSON already.
 */
export class CustomResponse {
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
  /**
   * Its method in the clients: `contacts.upsert`. Absent for pages that people open, requests of other services, and
   * streams.
   */
  client?: `${string}.${string}`
  access: Access
  /** Finds the key in the header of another service, for endpoints that its clients call. `Bearer` works everywhere. */
  findKey?: (headers: RequestFacts['headers']) => string | undefined
  /** A key without a project, with which another service's clients test requests: the handler gets an empty project ID. */
  testKey?: string
  /** The minimum role of a member's session; keys have scopes instead. */
  role?: Role
  /** The scope that a `phk_` key needs, if it doesn't follow from the tag and the method (`scopeOf`). */
  scope?: Scope | typeof ANY_SCOPE
  /** For `session` routes: only for the operator of the installation. */
  operator?: boolean
  /** Accepts an `Idempotency-Key` header. */
  idempotent?: boolean
  /** Returns the first response to a repeated request with its key even if it isn't asked for, in this form. */
  replay?: (stored: unknown) => unknown
  /**
   * Its statement can take seconds, such as the evaluation of a condition, or it renders a template: a project can run
   * only a few of these at a time.
   */
  expensive?: boolean
  /**
   * Refuses a client network that sends too many of these, before their body is read. By default, that applies to open
   * routes that accept JSON. Not to forms and webhooks: mail providers and other services send many from one network, and
   * each request proves its permission.
   */
  limitedByNetwork?: boolean
  /**
   * For a GET that changes something: what a browser may load it as, by `Sec-Fetch-Dest`. Otherwise, an image in a
   * template could make the people who open it send the request.
   */
  onlyFor?: Array<'document' | 'empty'>
  /** Changes nothing and can be read from the replica of the database, if there is one. */
  replica?: boolean
  /** Changes a resource only if it is the version that the `If-Match` header names. Responses have its ETag. */
  ifMatch?: boolean
  /** Refuses every field that its body doesn't have. Older routes ignore those that are no likely mistakes. */
  strict?: boolean
  /** A POST that changes nothing, so disabled projects can call it. */
  readOnly?: boolean
  /** For `own-project` routes without the project in the path: finds it for a session, or returns undefined. */
  findProject?: (
    ctx: Context,
    input: { params: Record<string, string>; body: unknown; userId: string },
  ) => Promise<string | undefined>
  /** For a GET that mostly waits for round trips. Its handler gets the rows with the caller, or reads them itself. */
  sharedRead?: (query: z.output<Q>) => SharedRead | undefined
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** The body that the API reference shows; generated from the schema if absent. */
  example?: unknown
  /** By default 64 KB for an open route, 5 MB for others. */
  bodyLimitBytes?: (ctx: Context) => number
  /** How many values the JSON of a body can have, if it is more than usual. */
  bodyValuesMax?: number
  /** Accepts one file as multipart/form-data instead of JSON; `body`, with a `z.file()`, only describes the form. */
  upload?: U
  /** Delivers email in a way that test keys have no mode for, so they can't use it. */
  delivers?: boolean
  /**
   * Accepts a form or a mail client's one-click request from any origin: the path must prove the permission, because a
   * cookie proves nothing here.
   * `files`: with files and repeated fields, for callers with a key.
   * `or JSON`: the same fields can be sent as JSON.
   */
  form?: boolean | 'files' | 'or JSON'
  /** Scripts of any website can call it and read the response. Routes for the public key always allow that. */
  anyOrigin?: boolean
  /** Gets the body as text, whatever its declared type, from any origin: for senders that sign their requests. */
  raw?: boolean
  /** The keys are statuses; a plain result is returned with the lowest. */
  replies: Record<number, Reply>
  /** The form of its errors, if it is that of another service. */
  errors?: z.ZodType
  /** Statuses it can refuse with, in addition to those implied by its access, params and body. */
  refusals?: number[]
  handle(
    ctx: Context,
    input: Input<P, z.output<Q>, z.output<B>> & (U extends Upload ? { file: UploadedFile } : unknown),
    services: S,
  ): unknown
}

/** The body of a request without fields; an empty object is accepted too. */
export const NoBody = z.object({}).nullish()

export const route = <
  S,
  const P extends PathParams = Record<never, never>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  U extends Upload | undefined = undefined,
>(
  spec: Route<S, P, Q, B, U>,
): Route<S> => spec as unknown as Route<S>

const BODY_BYTES_MAX = 5 * 1024 * 1024
export const OPEN_BODY_BYTES_MAX = 64 * 1024

export const bodyLimitOf = (
  { bodyLimitBytes, access }: Pick<Route, 'bodyLimitBytes' | 'access'>,
  ctx: Context,
): number => bodyLimitBytes?.(ctx) ?? (access === 'open' ? OPEN_BODY_BYTES_MAX : BODY_BYTES_MAX)

/** The scope that a `phk_` key needs to call a route; undefined if it accepts no key. */
export function scopeOf({ scope, access, tag, method, readOnly }: Route): Scope | typeof ANY_SCOPE | undefined {
  if (access === 'open' || access === 'session') return undefined
  return scope ?? scopeOfTag(tag, method === 'GET' || readOnly === true)
}

export const isLimitedByNetwork = ({ limitedByNetwork, access, method, form, raw }: Route): boolean =>
  limitedByNetwork ?? (access === 'open' && method !== 'GET' && !form && !raw)

/** Reads one resource as JSON, by its ID. */
export const isSingle = ({ method, path, replies }: Route): boolean =>
  method === 'GET' && path.endsWith('}') && replies[200]?.schema !== undefined && !replies[200].contentType

// Turns zod issues into the contract's errors: a dot path, a sentence and a stable code. A schema can set its own code
// and message through `params: {code}`.

type Issue = z.core.$ZodIssue

/** `refused` are problems that were found without the schema. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  refused: readonly FieldProblem[] = [],
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success && refused.length === 0) return result.data
  const issues = result.success ? [] : result.error.issues
  throw invalid([...issues.flatMap((issue) => toProblems(issue, [], value)), ...refused])
}

/** A malformed id is treated as one that doesn't exist. */
export function validateParams(expected: PathParams, given: Record<string, string>): Record<string, string> {
  for (const [name, kind] of Object.entries(expected)) {
    if (kind !== 'text' && !isId(given[name] ?? '')) throw notFound(kind.resource, given[name] ?? '')
  }
  return given
}

function toProblems(issue: Issue, base: PropertyKey[], request: unknown): FieldProblem[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...path, key].map(String).join('.'),
      message: 'Unknown field. Remove it.',
      code: 'unknown_field',
    }))
  }
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => toProblems(inner, path, request))
  }
  const received = receivedOf(issue, path, request)
  return [
    {
      field: path.map(String).join('.'),
      message: messageOf(issue),
      code: codeOf(issue),
      ...(received === undefined ? {} : { received }),
    },
  ]
}

/** The branch of a union that matched furthest: the one that did not fail on the type of the value. */
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
  const kinds = /^Invalid discriminator value\. Expected (?<list>.*)$/.exec(issue.message)?.groups?.list
  if (kinds) return `Must be one of: ${kinds.replaceAll("'", '').replaceAll(' | ', ', ')}.`
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') return unionMessage(issue)
  if (issue.code === 'too_small' && issue.message.startsWith('Too small:'))
    return limitMessage(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)
  if (issue.code === 'too_big' && issue.message.startsWith('Too big:'))
    return limitMessage(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)
  return issue.message
    .replace(/^Invalid input: expected record/, 'Must be of type object')
    .replace(/^Invalid input: expected /, 'Must be of type ')
    .replace(/, received .*$/, '')
}

const COUNTED: Record<string, string> = { string: 'character', array: 'item', set: 'item', object: 'field' }

/** For limits without a message of their own. */
function limitMessage(origin: string, comparison: string, limit: number | bigint): string {
  const counted = COUNTED[origin]
  return counted
    ? `Must have ${comparison} ${limit} ${counted}${Number(limit) === 1 ? '' : 's'}.`
    : `Must be ${comparison} ${limit}.`
}

/** Every type that a union accepts. */
function unionMessage(issue: Issue): string {
  const types = [...new Set(expectedTypes(issue))].sort()
  if (types.length === 0) return 'Must have a different type or value.'
  return `Must be of type ${types.length === 1 ? types[0] : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`}`
}

function expectedTypes(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [issue.expected === 'record' ? 'object' : issue.expected]
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(expectedTypes) : []
}

/**
 * The received value: its type if the type is wrong, otherwise the value if it is short. Long or secret values are not
 * echoed.
 */
function receivedOf(issue: Issue, path: PropertyKey[], request: unknown): unknown {
  if (/password|secret|token/i.test(String(path.at(-1)))) return undefined
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') return typeName(issue.input)
  const input = typeof issue.input === 'string' ? textAt(request, path, issue.input) : issue.input
  if (typeof input === 'string') return input.length <= 100 ? input : undefined
  return typeof input === 'number' || typeof input === 'boolean' ? input : undefined
}

/** The text as it was sent: schemas may trim it or change its case before they check it. */
function textAt(request: unknown, path: PropertyKey[], checked: string): string {
  const sent = path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null)?.[key], request)
  return typeof sent === 'string' ? sent : checked
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
