import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { trialRoutes } from '../../test/http/openapi-trial-routes.ts'
import type { Access, Route } from '../http/route.ts'
import { openApiDocument } from './openapi.ts'
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Response } from './openapi-shape.ts'

/** Only what the schemas themselves have. */
const INFO = { version: '1.2.3', baseUrl: 'https://mail.example.com', describesFields: false }
const document = openApiDocument(trialRoutes, INFO)
const operationOf = (method: string, path: string, from = document): Operation => from.paths[path]![method]!

const oneRoute = (spec: Partial<Route>): OpenApiDocument =>
  openApiDocument(
    [
      {
        method: 'POST',
        path: '/things',
        access: 'open',
        tag: 'Things',
        summary: 'Make a thing',
        replies: { 200: { description: 'Made.' } },
        handle: () => undefined,
        ...spec,
      },
    ],
    INFO,
  )

function eachObject(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Record<string, unknown>)
  for (const child of Object.values(node)) eachObject(child, visit)
}

const lookUp = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)

describe('the OpenAPI document', () => {
  it('contains its title, version and server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Posthorn API', version: '1.2.3' },
      servers: [{ url: 'https://mail.example.com' }],
    })
    expect(openApiDocument([], { version: '1.2.3' }).servers).toEqual([{ url: '/' }])
  })

  it('contains every route once, and nothing else', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(trialRoutes.map((r) => `${r.method} ${r.path}`).sort())
  })

  it('lists the tags in the order of their first use', () => {
    expect(document.tags.map((tag) => tag.name)).toEqual(['Sending', 'Contacts', 'Segments', 'Projects', 'Account'])
  })

  it('has no broken references', () => {
    const references = new Set<string>()
    eachObject(document, (node) => typeof node.$ref === 'string' && references.add(node.$ref))
    expect(references.size).toBeGreaterThan(10)
    expect([...references].filter((reference) => lookUp(reference) === undefined)).toEqual([])
  })

  it('contains no artifacts of the schema generator', () => {
    const text = JSON.stringify(document)
    for (const mark of ['$schema', '$defs', '$id', '~standard', '__schema', '"input:', '"output:']) {
      expect(text).not.toContain(mark)
    }
    for (const schema of Object.values(document.components.schemas)) expect(schema).not.toHaveProperty('id')
  })

  it('has a unique id for every operation', () => {
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId))
    expect(new Set(ids).size).toBe(trialRoutes.length)
  })

  it('declares exactly the parameters of each path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const { parameters = [] } of Object.values(methods)) {
        const declared = parameters.filter((p): p is Parameter => 'in' in p && p.in === 'path')
        expect(declared.map((p) => p.name)).toEqual(named)
        expect(declared.every((p) => p.required)).toBe(true)
      }
    }
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})

describe('an operation of the OpenAPI document', () => {
  it('describes query parameters by their input', () => {
    const { parameters } = operationOf('get', '/contacts')
    expect(parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'Contacts on a page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    })
    expect(parameters).toContainEqual({
      name: 'sort',
      in: 'query',
      required: false,
      schema: { type: 'string', enum: ['email', 'createdAt'], default: 'createdAt' },
    })
  })

  it('includes the parameters of a named query schema', () => {
    const made = oneRoute({ method: 'GET', query: z.object({ page: z.string() }).meta({ id: 'PageQuery' }) })
    expect(operationOf('get', '/things', made).parameters).toEqual([
      { name: 'page', in: 'query', required: true, schema: { type: 'string' } },
    ])
  })

  it('distinguishes an ID from free text in a path', () => {
    expect(operationOf('delete', '/contacts/{id}').parameters).toContainEqual({
      name: 'id',
      in: 'path',
      required: true,
      description: 'ID of the contact.',
      schema: { type: 'string', format: 'uuid' },
    })
    const [field] = operationOf('get', '/contacts/fields/{field}/values').parameters as Parameter[]
    expect(field).toEqual({ name: 'field', in: 'path', required: true, schema: { type: 'string' } })
  })

  it('accepts JSON, or a form for a file upload', () => {
    expect(Object.keys(operationOf('post', '/v1/send').requestBody!.content)).toEqual(['application/json'])
    expect(operationOf('post', '/contacts/import').requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
        },
      },
    })
  })

  it('declares whether the body is required', () => {
    const made = oneRoute({ body: z.object({ at: z.iso.datetime() }).optional() })
    expect(operationOf('post', '/things', made).requestBody!.required).toBe(false)
  })

  it('returns JSON, another content type, or nothing', () => {
    const page = operationOf('get', '/unsubscribe/{token}').responses[200] as Response
    expect(page.content).toEqual({ 'text/html': { schema: { type: 'string' } } })
    expect(operationOf('delete', '/contacts/{id}').responses[204]).not.toHaveProperty('content')
    const saved = operationOf('patch', '/contacts/{id}').responses[200] as Response
    expect(saved.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Contact' } } })
  })

  it.each<[Access, Operation['security']]>([
    ['open', []],
    ['public-key', [{ publicKey: [] }, { apiKey: ['contacts:write'] }]],
    ['project', [{ secretKey: [] }, { apiKey: ['contacts:write'] }, { session: [] }]],
    ['own-project', [{ secretKey: [] }, { apiKey: ['contacts:write'] }, { session: [] }]],
    ['session', [{ session: [] }]],
  ])('requires the right keys for access %s, and X-Project-Id only for sessions', (access, security) => {
    const made = operationOf('post', '/things', oneRoute({ access, tag: 'Contacts' }))
    expect(made.security).toEqual(security)
    expect(made['x-required-scope']).toBe(security.find(({ apiKey }) => apiKey)?.apiKey?.[0])
    const header = [{ $ref: '#/components/parameters/ProjectId' }]
    expect(made.parameters).toEqual(access === 'project' ? header : undefined)
  })

  it('documents the Idempotency-Key only where it is supported', () => {
    const parameters = (idempotent: boolean) =>
      operationOf('post', '/things', oneRoute({ access: 'public-key', idempotent })).parameters
    expect(parameters(true)).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }])
    expect(parameters(false)).toBeUndefined()
  })

  it('names the role that a session requires', () => {
    expect(operationOf('post', '/projects/{id}/members')['x-role']).toBe('ADMIN')
  })
})

describe('the errors of the OpenAPI document', () => {
  it.each([
    ['post', '/v1/send', [400, 401, 402, 403, 409, 413, 422, 429, 500, 503]],
    ['post', '/v1/track', [400, 401, 403, 409, 413, 422, 429, 500, 503]],
    ['get', '/contacts', [400, 401, 403, 422, 429, 500, 503]],
    ['delete', '/contacts/{id}', [400, 401, 403, 404, 429, 500, 503]],
    ['get', '/users/@me', [401, 429, 500, 503]],
    ['get', '/unsubscribe/{token}', [500, 503]],
  ])('follow for %s %s from its access, parameters and body, plus its own', (method, path, statuses) => {
    const { responses } = operationOf(method, path)
    const refused = Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400)
    expect(refused).toEqual(statuses)
  })

  it('share one response per status and one envelope', () => {
    const { responses } = operationOf('delete', '/contacts/{id}')
    expect(responses[404]).toEqual({ $ref: '#/components/responses/NotFound' })
    for (const response of Object.values(document.components.responses)) {
      expect(response.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } })
    }
    const envelope = document.components.schemas.Error as JsonSchema
    expect(envelope.required).toEqual(['success', 'error', 'message', 'timestamp'])
    expect(envelope.properties!.error!.required).toEqual(['code', 'message', 'statusCode', 'requestId', 'docsUrl'])
    expect(Object.keys(envelope.properties!.error!.properties!)).toEqual(
      expect.arrayContaining(['errors', 'details', 'suggestion']),
    )
  })

  it('can be the ordinary error too if they have their own schema', () => {
    const bare = operationOf('post', '/segments').responses[400] as Response
    expect(bare.content!['application/json']!.schema.anyOf).toEqual([
      { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
      { $ref: '#/components/schemas/Error' },
    ])
  })

  it('have a response if their status is unusual', () => {
    const made = oneRoute({ refusals: [418] })
    expect(operationOf('post', '/things', made).responses[418]).toEqual({ $ref: '#/components/responses/Status418' })
    expect(made.components.responses.Status418!.description).toBe("I'm a Teapot.")
  })

  it('include Retry-After where waiting helps', () => {
    const { TooManyRequests, Unavailable, NotFound } = document.components.responses
    expect(TooManyRequests!.headers).toHaveProperty('Retry-After')
    expect(Unavailable!.headers).toHaveProperty('Retry-After')
    expect(NotFound!.headers).not.toHaveProperty('Retry-After')
  })
})

describe('the headers of the OpenAPI document', () => {
  it('include the request ID everywhere and the rate limit for keys and sessions', () => {
    const headersOf = (method: string, path: string) =>
      Object.keys((operationOf(method, path).responses[200] as Response).headers!)
    expect(headersOf('get', '/contacts')).toEqual([
      'X-Request-Id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'RateLimit',
      'RateLimit-Policy',
    ])
    expect(headersOf('get', '/unsubscribe/{token}')).toEqual(['X-Request-Id'])
  })
})

describe('the schemas of the OpenAPI document', () => {
  const bodyOf = (schema: z.ZodType) =>
    operationOf('post', '/things', oneRoute({ body: schema })).requestBody!.content['application/json']!.schema

  it('are written once and referenced if they have an ID', () => {
    const page = operationOf('get', '/contacts').responses[200] as Response
    expect(page.content!['application/json']!.schema.properties!.data).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Contact' },
    })
    expect(document.components.schemas.Contact!.properties!.createdAt).toEqual({ type: 'string', format: 'date-time' })
  })

  it('have a second name for the input only if it differs', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(['Condition', 'ConditionInput', 'Contact', 'Error', 'Filter', 'Segment'])
    expect(schemas.Condition!.required).toEqual(['logic', 'groups'])
    expect(schemas.ConditionInput!.required).toEqual(['groups'])
  })

  it('refer to themselves in the same direction if they are recursive', () => {
    const inner = (name: string) => {
      const groups = document.components.schemas[name]!.properties!.groups!.items as JsonSchema
      return groups.properties!.conditions
    }
    expect(inner('Condition')).toEqual({ $ref: '#/components/schemas/Condition' })
    expect(inner('ConditionInput')).toEqual({ $ref: '#/components/schemas/ConditionInput' })
  })

  it('differ if they contain a schema that differs', () => {
    const leaf = z.object({ size: z.number().default(1) }).meta({ id: 'Leaf' })
    const tree = z.object({ leaf }).meta({ id: 'Tree' })
    const made = oneRoute({ body: tree, replies: { 200: { description: 'Grown.', schema: tree } } })
    expect(made.components.schemas.TreeInput!.properties!.leaf).toEqual({ $ref: '#/components/schemas/LeafInput' })
    expect(made.components.schemas.Tree!.properties!.leaf).toEqual({ $ref: '#/components/schemas/Leaf' })
  })

  it("have dates as strings, formats without patterns, and integers without JavaScript's bounds", () => {
    const schema = z.object({ at: z.date().nullable().optional(), id: z.uuid(), count: z.int(), on: z.iso.datetime() })
    expect(bodyOf(schema).properties).toEqual({
      at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      id: { type: 'string', format: 'uuid' },
      count: { type: 'integer' },
      on: { type: 'string', format: 'date-time' },
    })
  })

  it('keep the default and example of a transform', () => {
    const schema = z.object({
      n: z
        .string()
        .transform(Number)
        .meta({ type: 'integer', default: 7, examples: ['9'] }),
    })
    expect(bodyOf(schema).properties!.n).toEqual({ type: 'integer', default: 7, examples: ['9'] })
  })

  it('allow unknown fields unless they are closed explicitly', () => {
    expect(document.components.schemas.Contact).not.toHaveProperty('additionalProperties')
    expect(bodyOf(z.strictObject({ a: z.string() })).additionalProperties).toBe(false)
  })

  it('are refused if two share an ID', () => {
    const twins = z.object({ a: z.string().meta({ id: 'Twin' }) })
    const other = z.object({ b: z.number().meta({ id: 'Twin' }) })
    expect(() => oneRoute({ query: twins, body: other })).toThrow('Duplicate schema id "Twin"')
  })

  it('are refused if they are recursive without a name', () => {
    const chain = z.object({
      get next() {
        return chain.optional()
      },
    })
    expect(() => oneRoute({ body: chain })).toThrow('needs a name')
    expect(() => oneRoute({ body: z.object({ chain }) })).toThrow('needs a name')
  })

  it('are refused if the ID is not valid in a URL', () => {
    expect(() => oneRoute({ body: z.object({}).meta({ id: 'a/b' }) })).toThrow('schema id')
  })
})

it('the OpenAPI document is the same for the same routes', () => {
  const again = openApiDocument([...trialRoutes], INFO)
  expect(JSON.stringify(again)).toBe(JSON.stringify(document))
})
