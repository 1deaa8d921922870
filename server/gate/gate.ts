/**
 * Authenticates requests for the HTTP server. A `Bearer` key takes precedence over a session cookie. Both are looked up for
 * every request, so a rotated key, an ended session or a removed member is refused from the next request on.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { compatibleError } from '../features/mail/compat/errors.ts'
import type { RequestKey, RequestLog } from '../features/record/requests/log.ts'
import { requireOperator } from '../features/tenants/accounts/actions.ts'
import { findSession, hasSessionCookie } from '../features/tenants/accounts/sessions.ts'
import { kindOfKey, requireScope } from '../features/tenants/keys/actions.ts'
import { badRequest, forbidden, notFound, Refusal } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { isForTests } from '../kernel/scopes.ts'
import {
  type Caller,
  isLimitedByNetwork,
  OPEN_BODY_BYTES_MAX,
  type Role,
  type Route,
  type SharedRead,
  scopeOf,
  validate,
} from '../platform/http/route.ts'
import type { Gate } from '../platform/http/server.ts'
import {
  type Admission,
  type AdmittedProject,
  applyRateLimit,
  claimKey,
  type IdempotencyKeys,
  isWithinRateLimit,
  type KeyCall,
} from './admission.ts'
import { errorReply } from './error-reply.ts'

/** Only endpoints that accept the public key, and forms, can be called from any website. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Prefer',
  'access-control-expose-headers':
    'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit, RateLimit-Policy, Posthorn-Ignored-Fields',
  'access-control-max-age': '86400',
}

interface ApiKeyOfRequest {
  projectId: string
  key: RequestKey
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the request and its project, also if the request was refused afterwards. */
    apiKey?: ApiKeyOfRequest
    /** It has a key of another type than its route. */
    hasOtherKey?: boolean
  }
}

export const createGate = (
  ctx: Context,
  admission: Admission,
  keys: IdempotencyKeys,
  requestLog: RequestLog,
): Gate => ({
  async admit(request, reply, route) {
    const caller = await admit(ctx, admission, { request, reply, route })
    return route.idempotent ? claimKey(keys, request, route, caller) : caller
  },
  admitPerson: (request, reply, route, person) => admitPerson(ctx, admission, { request, reply, route }, person),
  async recordFailure({ projectId, idempotencyKey }, status) {
    if (idempotencyKey) await keys.recordFailure(projectId, idempotencyKey, status)
  },
  recordRequest(request, { statusCode: status, elapsedTime: durationMs }) {
    const { id, method, url, ip, failure: error, ignoredFields } = request
    const record = ({ projectId, key }: ApiKeyOfRequest) =>
      requestLog.record({ projectId, key, id, method, url, status, ip, durationMs, error, ignoredFields })
    if (request.apiKey) return record(request.apiKey)
    const key = request.is404 || request.hasOtherKey ? bearerKey(request) : undefined
    const kind = key && kindOfKey(key)
    if (!kind) return
    // It was refused before its key was looked up and counted. Beyond the rate limit it isn't recorded.
    admission.admitKey({ key, kind }).then(
      (project) => project && isWithinRateLimit(ctx, project) && record(apiKeyOf(project)),
      (err) => ctx.log.debug({ err }, 'a request could not be recorded in the request log'),
    )
  },
  runExpensive: admission.runExpensive,
  errorReply(error, requestId, now, url = '') {
    const reply = errorReply(error, { requestId, now, baseUrl: ctx.baseUrl })
    return compatibleError(url, reply) ?? reply
  },
  corsHeaders: ({ access, anyOrigin }) => (access === 'public-key' || anyOrigin ? ANY_ORIGIN : undefined),
})

const RANK: Record<Role, number> = { MEMBER: 1, ADMIN: 2, OWNER: 3 }

/** A request, its reply and its route. */
interface Call {
  request: FastifyRequest
  reply: FastifyReply
  route: Route
}

async function admit(ctx: Context, admission: Admission, call: Call): Promise<Caller> {
  const { request, route } = call
  refuseEmbedded(route, request)
  if (isLimitedByNetwork(route)) admission.countClient(route.path, request.ip)
  if (route.access === 'open') {
    if (route.method !== 'GET' && !route.form && !route.raw) refuseForeignOrigin(ctx, request)
    return { projectId: '' }
  }
  const key = route.findKey?.(request.headers) ?? bearerKey(request)
  if (key && route.testKey && key.toUpperCase() === route.testKey) return admitTest(admission, call)
  return key ? admitBearer(ctx, admission, call, key) : admitSession(ctx, admission, call)
}

const bearerKey = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]

/** Anyone can send this, so it has the limits of open routes. */
function admitTest(admission: Admission, { request, route }: Call): Caller {
  admission.countClient(route.path, request.ip)
  const length = request.headers['content-length']
  if (length === undefined || Number(length) > OPEN_BODY_BYTES_MAX) {
    const message = `With the key ${route.testKey}, a request body can have up to ${OPEN_BODY_BYTES_MAX / 1024} KB, and its length must be declared.`
    throw new Refusal('too-large', 'PAYLOAD_TOO_LARGE', message, { suggestion: 'Use a key of a project.' })
  }
  return { projectId: '' }
}

async function admitBearer(ctx: Context, admission: Admission, { request, reply, route }: Call, key: string) {
  const kind = kindOfKey(key)
  const fits = route.access !== 'session' && kind !== (route.access === 'public-key' ? 'secret' : 'public')
  const project = kind && fits ? await admitKey(ctx, admission, { key, kind }, route, request) : undefined
  if (!project) {
    request.hasOtherKey = kind !== undefined && !fits
    throw invalidKey(route)
  }

  request.apiKey = apiKeyOf(project)
  applyRateLimit(ctx, reply, project)
  const { projectId, isPublic = false, publicKeyUpdates, rows } = project
  if (isPublic) admission.countClient(projectId, request.ip)
  if (project.key) {
    requireScope(project.key, scopeOf(route)!, request.ip)
    if (project.key.test) refuseDelivery(route)
    admission.recordUse(projectId, project.key, request.ip)
  }
  if (route.access === 'own-project' && !route.findProject) refuseOtherProject(request, projectId)
  refuseWritesWhileDisabled(route, project)
  const updates = isPublic ? { publicKeyUpdates } : {}
  return { projectId, isPublic, ...updates, ...(project.key ? { key: project.key } : {}), ...(rows ? { rows } : {}) }
}

function apiKeyOf({ projectId, key }: AdmittedProject): ApiKeyOfRequest {
  if (!key) return { projectId, key: { type: 'public', id: null, name: 'Public key' } }
  return { projectId, key: { type: key.id === null ? 'secret' : 'api', id: key.id, name: key.name } }
}

/** A key with scopes is checked before anything is read with it. */
function admitKey(ctx: Context, admission: Admission, call: KeyCall, route: Route, request: FastifyRequest) {
  const read = call.kind === 'scoped' ? undefined : sharedReadOf(ctx, route, request)
  return read ? admission.admitKeyAndRead(call, read) : admission.admitKey(call)
}

/**
 * Undefined for an invalid query: it is refused once the key is known to be valid. Also if the replica can serve the read,
 * because the key is looked up in the primary.
 */
function sharedReadOf(
  ctx: Context,
  { sharedRead, query, replica }: Route,
  request: FastifyRequest,
): SharedRead | undefined {
  if (!sharedRead || !query || (replica && ctx.replica)) return undefined
  try {
    return sharedRead(validate(query, request.query))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

async function admitSession(ctx: Context, admission: Admission, call: Call): Promise<Caller> {
  const { request, route } = call
  const cookie = request.headers.cookie
  if (route.access === 'public-key' || !hasSessionCookie(cookie)) throw missingAuth()
  const session = await findSession(ctx, cookie)
  if (!session) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'Your session has expired. Sign in again.')
  if (route.method !== 'GET') refuseForeignOrigin(ctx, request)

  const person = { projectId: '', userId: session.userId, sessionId: session.id }
  if (route.access === 'session') {
    admission.countAccount(session.userId)
    if (route.operator) await requireOperator(ctx, session.id)
    return person
  }
  return route.findProject ? person : admitPerson(ctx, admission, call, person)
}

/**
 * Admits a signed-in user to the project of the call. If the body names the project, this runs after the body has been
 * read.
 */
async function admitPerson(ctx: Context, admission: Admission, call: Call, person: Caller): Promise<Caller> {
  const { reply, route } = call
  const project = await admitToProject(ctx, admission, call, person.userId!)
  applyRateLimit(ctx, reply, project)
  refuseLesserRole(route, project)
  refuseWritesWhileDisabled(route, project)
  return { ...person, projectId: project.projectId }
}

async function admitToProject(ctx: Context, admission: Admission, call: Call, userId: string) {
  const own = call.route.access === 'own-project'
  const projectId = own ? await ownProjectId(ctx, call, userId) : call.request.headers['x-project-id']
  if (typeof projectId !== 'string') {
    if (own) throw notFound('project', '')
    throw badRequest('Requests with a session must specify the project in the X-Project-Id header.')
  }
  const project = isId(projectId) ? await admission.admitMember(projectId, userId) : undefined
  if (project) return project
  admission.countAccount(userId)
  if (own) throw notFound('project', projectId)
  throw new Refusal('forbidden', 'PROJECT_ACCESS_DENIED', 'You are not a member of this project.')
}

async function ownProjectId(ctx: Context, { request, route }: Call, userId: string) {
  if (!route.findProject) return projectIdInPath(request)
  const named = request.headers['x-project-id']
  if (named !== undefined) return named
  return route.findProject(ctx, { params: request.params as Record<string, string>, body: request.body, userId })
}

function projectIdInPath(request: FastifyRequest): string | undefined {
  const { id, projectId } = request.params as { id?: string; projectId?: string }
  return projectId ?? id
}

function refuseOtherProject(request: FastifyRequest, projectId: string): void {
  const named = projectIdInPath(request)
  if (named?.toLowerCase() !== projectId) throw notFound('project', named ?? '')
}

function refuseLesserRole(route: Route, project: AdmittedProject): void {
  if (route.role && RANK[project.role as Role] < RANK[route.role]) {
    throw forbidden(`This request requires the role ${route.role} in the project.`)
  }
}

function refuseWritesWhileDisabled(route: Route, project: AdmittedProject): void {
  if (project.disabled && route.method !== 'GET' && !route.readOnly) {
    throw new Refusal('forbidden', 'PROJECT_DISABLED', 'This project is disabled. It can be viewed, but not changed.')
  }
}

function refuseDelivery(route: Route): void {
  if (!route.delivers && isForTests(scopeOf(route)!)) return
  throw new Refusal('forbidden', 'FORBIDDEN', "A test key can't use this endpoint, which can cause real email.", {
    suggestion: 'Use a key that was created without test.',
  })
}

const missingAuth = () =>
  new Refusal('unauthenticated', 'MISSING_AUTH', 'No API key was provided.', {
    suggestion: 'Send your key as "Authorization: Bearer <key>".',
  })

const invalidKey = (route: Route) =>
  new Refusal(
    'unauthenticated',
    'INVALID_API_KEY',
    'The API key is invalid, has expired or been replaced, or is of the wrong type.',
    {
      suggestion:
        route.access === 'public-key'
          ? 'This endpoint requires the public key (pk_…) of a project, or an API key (phk_…) with the scope track.'
          : route.access === 'session'
            ? 'This endpoint requires the session of a signed-in user, not an API key.'
            : 'This endpoint requires the secret key (sk_…) of a project, or an API key (phk_…) with the right scope.',
    },
  )

function refuseEmbedded({ onlyFor }: Route, request: FastifyRequest): void {
  const destination = request.headers['sec-fetch-dest']
  if (!onlyFor || destination === undefined || (onlyFor as unknown[]).includes(destination)) return
  throw new Refusal('forbidden', 'FORBIDDEN', `This endpoint can't be loaded as ${destination}.`, {
    suggestion: onlyFor.includes('document')
      ? 'Open it as a page, or request it with fetch.'
      : 'Request it with fetch.',
  })
}

/**
 * A browser sends the session cookie even with requests from other sites. Requests that change something must therefore
 * come from the dashboard and have a content type that a form on another site can't send.
 */
function refuseForeignOrigin(ctx: Context, request: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site, 'content-type': type } = request.headers
  const fromElsewhere = origin !== undefined ? !isOwn(ctx, origin, host) : site === 'cross-site' || site === 'same-site'
  const formLike = type !== undefined && !/^(application\/json|multipart\/form-data)\b/i.test(type)
  if (fromElsewhere || formLike) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'This request must come from the dashboard and have a JSON body.', {
      suggestion: 'From another site or a script, use an API key, and send Content-Type: application/json.',
    })
  }
}

function isOwn(ctx: Context, origin: string, host: string | undefined): boolean {
  if (origin === new URL(ctx.baseUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
