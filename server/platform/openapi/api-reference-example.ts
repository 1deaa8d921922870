/**
 * Example requests and responses of an operation: a body with the required fields, with the examples of the schemas
 * where they have some, and generated values otherwise.
 */
import { alternativesOf, resolve, type Schemas } from './api-reference-fields.ts'
import type { ExampleRequest } from './api-reference-languages.ts'
import { singular } from './openapi-names.ts'
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Reference } from './openapi-shape.ts'

const SAMPLES: Record<string, unknown> = {
  email: 'ada@example.org',
  uuid: '0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90',
  'date-time': '2030-01-31T09:00:00.000Z',
  date: '2030-01-31',
  uri: 'https://example.org/',
  base64: 'SGVsbG8=',
}
const DEEPEST = 9

/** A request with the required fields. Ids of existing things are variables. */
export function requestExample(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: Operation,
): ExampleRequest {
  const { schemas } = document.components
  const [contentType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const request = {
    method: method.toUpperCase(),
    url: baseUrl(document) + withVariables(path) + requiredQuery(operation, schemas),
    headers: credentials(operation),
    ...(isBinary(operation) ? { binary: true } : {}),
  }
  if (contentType === undefined || !content) return request
  if (contentType === 'multipart/form-data') {
    const { properties = {} } = resolve(content.schema, schemas)
    const files = Object.entries(properties).filter(([, field]) => field.format === 'binary')
    return { ...request, files: files.map(([name]) => name) }
  }
  const headers = { ...request.headers, 'Content-Type': contentType }
  return { ...request, headers, body: withIdVariables(content.example ?? sample(content.schema, schemas)) }
}

const BINARY = ['application/zip', 'application/octet-stream']

const isBinary = ({ responses }: Operation): boolean =>
  Object.values(responses).some(
    (reply) => 'content' in reply && Object.keys(reply.content ?? {}).some((type) => BINARY.includes(type)),
  )

const baseUrl = (document: OpenApiDocument) => (document.servers[0]?.url ?? '').replace(/\/$/, '')

const variableOf = (name: string) =>
  `$${name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`

/** `/contacts/{id}` becomes `/contacts/$CONTACT_ID`. */
function withVariables(path: string): string {
  const parts = path.split('/')
  const filled = parts.map((part, i) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (!name) return part
    return variableOf(name === 'id' ? `${singular(parts[i - 1] ?? '')}_id` : name)
  })
  return filled.join('/')
}

function requiredQuery(operation: Operation, schemas: Schemas): string {
  const isRequired = (p: Parameter | Reference): p is Parameter => 'in' in p && p.in === 'query' && p.required
  const pairs = (operation.parameters ?? [])
    .filter(isRequired)
    .map((p) => `${encodeURIComponent(p.name)}=${encodeURIComponent(String(sample(p.schema, schemas)))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function credentials(operation: Operation): Record<string, string> {
  const first = Object.keys(operation.security[0] ?? {})[0]
  if (first === 'secretKey') return { Authorization: 'Bearer $POSTHORN_SECRET_KEY' }
  if (first === 'publicKey') return { Authorization: 'Bearer $POSTHORN_PUBLIC_KEY' }
  return first === 'session' ? { Cookie: 'token=$POSTHORN_SESSION' } : {}
}

/** The first successful JSON response with sample values, unless it is empty. */
export function responseExample(
  { components }: OpenApiDocument,
  operation: Operation,
): { status: string; text: string } | undefined {
  for (const [status, response] of Object.entries(operation.responses)) {
    const schema = 'content' in response ? response.content?.['application/json']?.schema : undefined
    if (status.startsWith('2') && schema)
      return { status, text: JSON.stringify(sample(schema, components.schemas), null, 2) }
  }
  return undefined
}

/** A value that matches a schema: only required fields, or the first two if none is required. */
function sample(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.$ref) return sample(resolve(schema, schemas), schemas, depth + 1)
  const [first = {}] = alternativesOf(schema)
  if (first !== schema) return sample(first, schemas, depth)
  if (schema.enum) return schema.enum[0]
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, schemas, depth + 1) as object))
  if (schema.type === 'object') return sampleObject(schema, schemas, depth)
  if (schema.type === 'array') {
    return typeof schema.items === 'object' && depth < DEEPEST ? [sample(schema.items, schemas, depth + 1)] : []
  }
  return sampleScalar(schema)
}

function sampleObject(schema: JsonSchema, schemas: Schemas, depth: number): unknown {
  const fields = Object.entries(schema.properties ?? {})
  const required = fields.filter(([name]) => schema.required?.includes(name))
  const shown = required.length > 0 || depth > 0 ? required : fields.slice(0, 2)
  return Object.fromEntries(shown.map(([name, field]) => [name, sample(field, schemas, depth + 1)]))
}

/** Sample ids become variables with the name of their field: `contactId` and `contactIds` become `$CONTACT_ID`. */
function withIdVariables(value: unknown, name = ''): unknown {
  if (value === SAMPLES.uuid) return variableOf(name.replace(/s$/, ''))
  if (Array.isArray(value)) return value.map((item) => withIdVariables(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, withIdVariables(item, field)]))
}

function sampleScalar(schema: JsonSchema): unknown {
  const known = SAMPLES[schema.format ?? '']
  if (known !== undefined) return known
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : 'text'
}
