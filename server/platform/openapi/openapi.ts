/** Generates the OpenAPI 3.1 document from the list of routes that the server serves. Pure and deterministic. */

import { ANY_SCOPE } from '../../kernel/scopes.ts'
import { type Access, isSingle, type Reply, type Route, scopeOf } from '../http/route.ts'
import { describeFields } from './descriptions/index.ts'
import { errorReply, HEADERS, refusalName, refusalResponse, refusalStatuses, replyHeaders } from './openapi-errors.ts'
import { operationIds } from './openapi-names.ts'
import { type DescribedSchemas, describeSchemas } from './openapi-schemas.ts'
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  SecurityScheme,
} from './openapi-shape.ts'

const SECURITY_SCHEMES: Record<string, SecurityScheme> = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: "The project's secret key, `sk_…`. It has full access to the project: keep it on your servers.",
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key that you create with `POST /api-keys`, `phk_…`. It can call the endpoints that its scopes allow; each endpoint names the scope that it requires.',
  },
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The project's public key, `pk_…`. It can only track events, so you can use it in a browser or an app.",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'token',
    description: 'The session of a signed-in user, as used by the dashboard.',
  },
}

const SCHEMES: Record<Access, string[]> = {
  open: [],
  'public-key': ['publicKey', 'apiKey'],
  project: ['secretKey', 'apiKey', 'session'],
  'own-project': ['secretKey', 'apiKey', 'session'],
  session: ['session'],
}

const DESCRIPTION =
  'Send email, track events and manage the resources of a project. Authenticate with one of its API keys in the `Authorization: Bearer` header. All errors have the same shape, with one exception: `POST /templates` and `PUT /templates/by-name/{name}` without `from`, and `POST /segments` without `condition`, return 400 with `{"error": "…"}` alone.'
const LICENSE = { name: 'MIT', identifier: 'MIT' }

const PROJECT_ID: Parameter = {
  name: 'X-Project-Id',
  in: 'header',
  required: false,
  description: 'The project to act on. Required with a session; an API key already determines the project.',
  schema: { type: 'string', format: 'uuid' },
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to retry a request: if the key has already been used in the project, the response is 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version that you read, or its `updatedAt` in quotes: if it was changed since then, the response is 412.',
  schema: { type: 'string' },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier response: if nothing has changed, the response is 304 without a body.',
  schema: { type: 'string' },
}

const IDEMPOTENCY_REPLAY: Parameter = {
  name: 'Idempotency-Replay',
  in: 'header',
  required: false,
  description:
    'If `true` and the same request has already been sent with this `Idempotency-Key`, its response is returned again, with the header `Idempotency-Replayed: true`, instead of 409.',
  schema: { type: 'string', enum: ['true', 'false'] },
}

export interface DocumentOptions {
  version: string
  baseUrl?: string
  /** Whether fields without a description get the one of their name. */
  describesFields?: boolean
}

export function openApiDocument(routes: Route[], info: DocumentOptions): OpenApiDocument {
  const schemas = describeSchemas({
    input: routes.flatMap(({ query, body }) => [query, body]).filter((schema) => schema !== undefined),
    output: [errorReply, ...routes.flatMap(replySchemas)],
  })
  const error = schemas.refer(errorReply, 'output')
  const ids = operationIds(routes)
  const paths: OpenApiDocument['paths'] = {}
  routes.forEach((route, i) => {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = operation(route, ids[i]!, schemas, error)
  })
  const refused = [...new Set(routes.flatMap(refusalStatuses))].sort((a, b) => a - b)
  const responses = refused.map((status) => [refusalName(status), refusalResponse(status, error)] as const)
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'Posthorn API', version: info.version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: info.baseUrl || '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      responses: Object.fromEntries(responses),
      parameters: {
        ProjectId: PROJECT_ID,
        IdempotencyKey: IDEMPOTENCY_KEY,
        IdempotencyReplay: IDEMPOTENCY_REPLAY,
        IfMatch: IF_MATCH,
        IfNoneMatch: IF_NONE_MATCH,
      },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
  if (info.describesFields ?? true) describeFields(document)
  return document
}

const replySchemas = ({ replies, errors }: Route) =>
  [...Object.values(replies).map((reply) => reply.schema), errors].filter((schema) => schema !== undefined)

function operation(route: Route, operationId: string, schemas: DescribedSchemas, error: JsonSchema): Operation {
  const required = scopeOf(route)
  const scope = required === ANY_SCOPE ? undefined : required
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, schemas),
    ...(route.access === 'project' ? [{ $ref: '#/components/parameters/ProjectId' }] : []),
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(route.idempotent && route.access === 'project' ? [{ $ref: '#/components/parameters/IdempotencyReplay' }] : []),
    ...(route.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(isSingle(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.client ? { 'x-client-method': route.client } : {}),
    ...(route.role ? { 'x-role': route.role } : {}),
    ...(scope ? { 'x-required-scope': scope } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route, route.body, schemas) } : {}),
    responses: responses(route, schemas, error),
    security: SCHEMES[route.access].map((scheme) => ({
      [scheme]: scheme === 'apiKey' && scope ? [scope] : [],
    })),
  }
}

function pathParameters(route: Route): Parameter[] {
  const names = [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!)
  return names.map((name) => {
    const kind = route.params?.[name] ?? 'text'
    const described =
      kind === 'text'
        ? { schema: { type: 'string' } }
        : { description: `ID of the ${kind.resource}.`, schema: { type: 'string', format: 'uuid' } }
    return { name, in: 'path', required: true, ...described }
  })
}

function queryParameters(route: Route, schemas: DescribedSchemas): Parameter[] {
  if (!route.query) return []
  const { properties = {}, required = [] } = schemas.expand(route.query, 'input')
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    schema,
  }))
}

function requestBody(
  route: Route,
  body: NonNullable<Route['body']>,
  schemas: DescribedSchemas,
): Operation['requestBody'] {
  const fields = Object.values(schemas.expand(body, 'input').properties ?? {})
  const written = route.form ? 'application/x-www-form-urlencoded' : 'application/json'
  const contentType = fields.some((field) => field.format === 'binary') ? 'multipart/form-data' : written
  const described = {
    schema: schemas.refer(body, 'input'),
    ...(route.example === undefined ? {} : { example: route.example }),
  }
  return {
    required: body._zod.optin === undefined,
    content: { [contentType]: described, ...(route.form === 'or JSON' && { 'application/json': described }) },
  }
}

function responses(route: Route, schemas: DescribedSchemas, error: JsonSchema): Record<string, Response | Reference> {
  const refusals = refusalStatuses(route)
  const all: Record<string, Response | Reference> = {}
  for (const status of refusals) all[status] = { $ref: `#/components/responses/${refusalName(status)}` }
  for (const [status, reply] of Object.entries(route.replies)) {
    const content = replyContent(reply, schemas)
    const own = content?.['application/json']
    // A status with its own schema that can also be an ordinary error.
    if (own && refusals.includes(Number(status))) own.schema = { anyOf: [own.schema, error] }
    all[status] = { description: reply.description, headers: replyHeaders(route), ...(content ? { content } : {}) }
  }
  if (route.errors) {
    const content = { 'application/json': { schema: schemas.refer(route.errors, 'output') } }
    all.default = { description: 'An error, in the form of the service.', headers: replyHeaders(route), content }
  }
  if (isSingle(route))
    all[304] = { description: 'Nothing has changed since the `ETag` in `If-None-Match`.', headers: replyHeaders(route) }
  return all
}

function replyContent(reply: Reply, schemas: DescribedSchemas): Content | undefined {
  if (!reply.schema && !reply.contentType) return undefined
  const schema = reply.schema ? schemas.refer(reply.schema, 'output') : { type: 'string' }
  return { [reply.contentType ?? 'application/json']: { schema } }
}
