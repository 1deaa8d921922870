/**
 * Fastify with our list of routes: request ids, body parsing, validation, responses, logs. Authentication and error
 * responses are provided by the gate, which is passed in.
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { FieldProblem } from '../../kernel/errors.ts'
import { etagOf, isListed } from '../../kernel/etag.ts'
import { newId } from '../../kernel/ids.ts'
import { runInSpan } from '../../kernel/tracing.ts'
import { isOwnHost } from '../network/own-hosts.ts'
import { encodingFor, sendCompressed } from './bodies/compress.ts'
import { createLongBodies } from './bodies/long-bodies.ts'
import { parseFormBody, parseJsonBody } from './bodies/read-body.ts'
import { parseForm, parseTextFields } from './bodies/read-form.ts'
import { addUploads, fileMissing, type Upload, type UploadedFile } from './bodies/read-upload.ts'
import { recordResponse, startRequestTrace } from './record-request.ts'
import { asRefusal, connectionRefusal, foreignHost, unknownRoute, unstorableAddress } from './refusals.ts'
import { fingerprintOf } from './request-fingerprint.ts'
import { bodyLimitOf, type Caller, CustomResponse, isSingle, type Route, validate, validateParams } from './route.ts'
import { findUnknownFields, ignoredFieldsHeader, prefersStrict } from './unknown-fields.ts'

export interface ResponseError {
  code: string
  message: string
  errors?: FieldProblem[]
  suggestion?: string
}

export interface Gate {
  /** Authenticates the caller and sets the rate limit headers of the response. */
  admit(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<Caller>
  /** For a route that names its project in the body or by an id: authorizes the user after the body was read. */
  admitPerson(request: FastifyRequest, reply: FastifyReply, route: Route, person: Caller): Promise<Caller>
  /** Runs something expensive for a project, unless the project has reached its limit of these. */
  runExpensive<T>(projectId: string, work: () => Promise<T>): Promise<T>
  /** Called after the request was refused or failed, to release or complete its idempotency key. */
  recordFailure(caller: Caller, status: number): Promise<void>
  /** Endpoints that clients of another service call respond in the form of that service. */
  errorReply(
    error: unknown,
    requestId: string,
    now: Date,
    url?: string,
  ): { status: number; headers: Record<string, string>; body: unknown; isBug: boolean }
  /** Called after the response, with the error if there was one. */
  recordRequest(request: FastifyRequest, reply: FastifyReply): void
  /** Headers that a route needs on every response and on its preflight. */
  corsHeaders(route: Route): Record<string, string> | undefined
}

/** Longer JSON bodies are parsed in a thread. This much is parsed in a few milliseconds. */
const LONG_BODY_BYTES = 500_000
const REST_OF_BODY_MS = 30_000

/**
 * A request, including its body, must be received within 75 seconds, which is checked every 15 seconds. So an
 * incomplete or idle connection is closed within 90 seconds.
 */
const TIMEOUTS = { headersMs: 60_000, requestMs: 75_000, checkMs: 15_000, idleMs: 90_000 }

/** Each needs memory and a file descriptor, so there is a limit below that of the machine. */
const CONNECTIONS_MAX = 10_000

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyValuesMax?: number | undefined
  }
  interface FastifyRequest {
    caller?: Caller
    /** Set for a request that the replica may serve. */
    isReplicaCurrent?: Promise<boolean> | undefined
    /** The error of the response. */
    failure?: ResponseError
    /** Fields of the body that the endpoint doesn't have. */
    ignoredFields?: string[]
  }
}

/** Routes are served with the services that their handlers need. */
interface Serving<S> {
  ctx: Context
  /** The same with the database of the replica. It is never used without one. */
  replicaCtx: Context
  services: S
  gate: Gate
  /** Paths without parameters, which never match a route with parameters. */
  literals: Set<string>
}

/** No route has a JSON schema. Loading the compilers for them would take as long as everything else that creates a server. */
const noSchemas = () => {
  throw new Error('Routes are validated by zod.')
}
const NO_COMPILERS = { buildValidator: noSchemas, buildSerializer: noSchemas }

export function buildServer<S>(
  ctx: Context,
  services: S,
  routes: Route<S>[],
  gate: Gate,
  timeouts = TIMEOUTS,
): FastifyInstance {
  const server = Fastify({
    loggerInstance: undefined,
    genReqId: () => newId(ctx.clock.now()),
    trustProxy: ctx.settings.TRUSTED_PROXIES.length > 0 && ctx.settings.TRUSTED_PROXIES,
    forceCloseConnections: 'idle',
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    http: { connectionsCheckingInterval: timeouts.checkMs },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 20_000,
      querystringParser: parseQuery,
    },
    schemaController: { compilersFactory: NO_COMPILERS },
    frameworkErrors: (error, request, reply) => sendError(ctx, gate, error, request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(ctx, gate, error, socket),
  })

  server.server.headersTimeout = timeouts.headersMs // Node.js swaps the two if this is the longer one
  server.server.maxConnections = CONNECTIONS_MAX
  server.removeAllContentTypeParsers()
  const longBodies = createLongBodies()
  server.addHook('onClose', () => longBodies.close())
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const { caller, ip, routeOptions } = request
    const { bodyValuesMax } = routeOptions.config
    return body.length <= LONG_BODY_BYTES
      ? parseJsonBody(body.toString('utf8'), bodyValuesMax)
      : longBodies.parse(caller?.projectId || caller?.userId || ip, body, bodyValuesMax)
  })

  // Hooks that wait for nothing aren't async: each of those costs every request two turns of the microtask queue.
  server.addHook('onRequest', (request, reply, done) => {
    startRequestTrace(request)
    reply.headers({ 'x-request-id': request.id, ...safetyHeaders(ctx) })
    if (!isOwnHost(request.headers.host, ctx.settings, ctx.baseUrl, request.socket.localAddress)) throw foreignHost()
    if (request.url.includes('%00')) throw unstorableAddress(request)
    if (request.is404) throw unknownRoute(request) // before its body is parsed
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    recordResponse(ctx, request, reply)
    gate.recordRequest(request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) => sendError(ctx, gate, error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(ctx, gate, unknownRoute(request), request, reply))

  const replicaCtx: Context = Object.create(ctx, { db: { value: ctx.replica?.db } })
  const serving = { ctx, replicaCtx, services, gate, literals: new Set(routes.map((route) => route.path)) }
  for (const route of routes) {
    if (route.upload) addUploadRoute(server, serving, route, route.upload)
    else if (route.form || route.raw) addFormRoute(server, serving, route)
    else addRoute(server, serving, route)
  }
  return server
}

/** A test key's request is another one than the same request for real, which must not get its response. */
const requestFingerprint = ({ body, caller }: FastifyRequest): Promise<Buffer> =>
  fingerprintOf(caller?.key?.test ? { test: true, body } : body)

/** On every response. Responses that can be cached, such as the files of the dashboard, replace `cache-control`. */
const safetyHeaders = (ctx: Context): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  ...(ctx.baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

/** In a separate scope, because body parsers belong to a scope, and here every body is a form with a file. */
function addUploadRoute<S>(server: FastifyInstance, serving: Serving<S>, route: Route<S>, upload: Upload): void {
  server.register(async (scope) => {
    await addUploads(scope, upload)
    addRoute(scope, serving, route)
  })
}

/** Adds a route whose body has form fields, with or without files, or is text. */
function addFormRoute<S>(server: FastifyInstance, serving: Serving<S>, route: Route<S>): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
      const type = headers['content-type']
      if (route.form === 'files') return parseForm(type, body)
      const text = body.toString('utf8')
      if (route.raw) return text
      if (route.form === 'or JSON' && isJson(type)) return parseJsonBody(text)
      return isMultipart(type) ? parseTextFields(type, body) : parseFormBody(type, text)
    })
    addRoute(scope, serving, route)
  })
}

const isJson = (type: string | undefined): boolean => /^application\/json\b/i.test(type ?? '')
const isMultipart = (type: string | undefined): boolean => /^multipart\/form-data\b/i.test(type ?? '')

function addRoute<S>(server: FastifyInstance, serving: Serving<S>, route: Route<S>): void {
  const { ctx, replicaCtx, services, gate, literals } = serving
  const url = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const cors = gate.corsHeaders(route)
  if (cors && !server.hasRoute({ method: 'OPTIONS', url })) {
    server.options(url, async (_request, reply) => reply.code(204).headers(cors).send())
  }
  server.route({
    method: route.method,
    url,
    bodyLimit: bodyLimitOf(route, ctx),
    config: { bodyValuesMax: route.bodyValuesMax },
    onRequest: async (request, reply) => {
      if (cors) reply.headers(cors)
      if (route.replica) request.isReplicaCurrent = ctx.replica?.isCurrent() // while the caller is looked up
      request.caller = await runInSpan(request.span, () => gate.admit(request, reply, route))
    },
    // The body is read first, because it may name the project of a user's call.
    ...(route.findProject && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.caller!.projectId !== '') return
        request.caller = await runInSpan(request.span, () => gate.admitPerson(request, reply, route, request.caller!))
      },
    }),
    handler: async (request, reply) => {
      const { repeated, idempotencyKey } = request.caller!
      if (repeated) return sendResponse(request, reply, route, repeated(await requestFingerprint(request)))
      if (idempotencyKey) idempotencyKey.fingerprint = await requestFingerprint(request)
      const input = {
        caller: request.caller!,
        params: paramsOf(literals, route, request),
        query: route.query && validate(route.query, request.query),
        ...bodyOf(route, request, reply),
        facts: {
          requestId: request.id,
          method: request.method,
          ip: request.ip,
          headers: request.headers,
          ifMatch: route.ifMatch ? request.headers['if-match'] : undefined,
        },
      }
      const handle = async (from: Context) => runInSpan(request.span, () => route.handle(from, input, services))
      const { isReplicaCurrent: current } = request
      const read = (onReplica: boolean) => handle(onReplica ? replicaCtx : ctx)
      const work = () => (current ? ctx.replica!.read(current, read) : handle(ctx))
      const result = await (route.expensive ? gate.runExpensive(input.caller.projectId, work) : work())
      return sendResponse(request, reply, route, result)
    },
  })
}

function bodyOf(route: Route, request: FastifyRequest, reply: FastifyReply): { body: unknown; file: UploadedFile } {
  const { upload, raw, form, body } = route
  if (raw) return { body: request.body ?? '', file: undefined as never }
  if (form === 'files') return { body: request.body ?? {}, file: undefined as never }
  if (!upload) {
    const found = body && !form ? unknownFields(route, body, request, reply) : []
    return { body: body && validate(body, request.body, found), file: undefined as never }
  }
  if (request.body === undefined) throw fileMissing(upload)
  return { body: undefined, file: request.body as UploadedFile }
}

/** Returns those that are refused, and names the others in the response. */
function unknownFields({ strict, replies }: Route, schema: z.ZodType, request: FastifyRequest, response: FastifyReply) {
  const isPreferred = prefersStrict(request.headers.prefer)
  if (isPreferred) response.header('preference-applied', 'handling=strict')
  const reply = (replies[200] ?? replies[201])?.schema
  const isStrict = isPreferred || strict === true
  const { refused, ignored } = findUnknownFields({ schema, reply, isStrict }, request.body)
  if (ignored.length > 0) {
    response.header('posthorn-ignored-fields', ignoredFieldsHeader(ignored))
    request.ignoredFields = ignored
  }
  return refused
}

/** The parameters of a path. A literal path of another method is not treated as an id: the route doesn't exist. */
function paramsOf(literals: Set<string>, route: Route, request: FastifyRequest): Record<string, string> {
  const path = request.url.split('?')[0]!
  if (route.params && literals.has(path)) throw unknownRoute(request)
  return validateParams(route.params ?? {}, request.params as Record<string, string>)
}

function sendResponse(request: FastifyRequest, reply: FastifyReply, route: Route, result: unknown) {
  const usual = Number(Object.keys(route.replies)[0])
  const answer = result instanceof CustomResponse ? result : new CustomResponse(usual, result)
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined || answer.status === 204) return reply.send()
  if (route.replies[answer.status]?.contentType || 'content-type' in answer.headers) return reply.send(answer.body)
  const json = Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body)
  if (answer.status === 200 && (route.ifMatch || isSingle(route))) {
    const etag = etagOf(json, updatedAtOf(answer.body))
    reply.header('etag', etag)
    if (isSingle(route) && isListed(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  reply.type('application/json; charset=utf-8')
  const encoding = encodingFor(request, json.length)
  return encoding ? sendCompressed(reply, json, encoding) : reply.send(json)
}

function updatedAtOf(body: unknown): Date | undefined {
  const { updatedAt } = body as { updatedAt?: unknown }
  return updatedAt instanceof Date ? updatedAt : undefined
}

async function sendError(ctx: Context, gate: Gate, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body, isBug } = gate.errorReply(
    asRefusal(error, request),
    request.id,
    ctx.clock.now(),
    request.url,
  )
  if (isBug) ctx.log.error({ err: error, requestId: request.id, route: request.routeOptions?.url }, 'a request failed')
  request.failure = failureIn(body)
  if (request.caller) await gate.recordFailure(request.caller, status)
  reply.header('x-request-id', request.id)
  if (!request.raw.complete) drainBody(request, reply)
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Two refusals have a message only. */
function failureIn(body: unknown): ResponseError {
  const { error } = body as { error: string | ResponseError }
  return typeof error === 'string' ? { code: 'BAD_REQUEST', message: error } : error
}

/**
 * A refusal before the whole body was received. The client reads it only if the rest of the body is consumed: closing
 * the connection now would reset it and lose the response.
 */
function drainBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection') // Fastify closes after a body it has not read
  raw.resume()
  const timer = setTimeout(() => raw.destroy(), REST_OF_BODY_MS).unref()
  raw.once('close', () => clearTimeout(timer))
}

/** Invalid HTTP never becomes a request: the error response is written to the connection. */
function refuseConnection(ctx: Context, gate: Gate, error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const requestId = newId(ctx.clock.now())
  const { status, body } = gate.errorReply(connectionRefusal(error.code), requestId, ctx.clock.now())
  const text = JSON.stringify(body)
  const headers = Object.entries(safetyHeaders(ctx)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n${headers.join('')}` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/** If a parameter is repeated, its last value counts. */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) query[name] = value.toWellFormed()
  return query
}
