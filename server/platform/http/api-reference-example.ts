/**
 * Example requests and responses: the curl command of an operation, with the key from the environment and a body with the required
 * fields. Examples in the schemas take precedence over generated values.
 */
import { alternativesOf, resolve, type Schemas } from './api-reference-fields.ts'
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

export function curlExample(document: OpenApiDocument, path: string, method: string, operation: Operation): string {
  const { schemas } = document.components
  const content = Object.entries(operation.requestBody?.content ?? {})[0]
  const address = JSON.stringify(baseUrl(document) + withPlaceholders(path) + requiredQuery(operation, schemas))
  const verb = method === (content ? 'post' : 'get') ? '' : `-X ${method.toUpperCase()} `
  return [
    `curl ${verb}${address}`,
    ...credentials(operation),
    ...(content ? bodyArguments(content[0], content[1].schema, schemas) : []),
  ].join(' \\\n  ')
}

const baseUrl = (document: OpenApiDocument) => (document.servers[0]?.url ?? '').replace(/\/$/, '')

/** `/contacts/{id}` becomes `/contacts/CONTACT_ID`. */
function withPlaceholders(path: string): string {
  const parts = path.split('/')
  const filled = parts.map((part, i) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (!name) return part
    const full = name === 'id' ? `${singular(parts[i - 1] ?? '')}_id` : name
    return full.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
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

function credentials(operation: Operation): string[] {
  const first = Object.keys(operation.security[0] ?? {})[0]
  if (first === 'secretKey') return ['-H "Authorization: Bearer $POSTHORN_SECRET_KEY"']
  if (first === 'publicKey') return ['-H "Authorization: Bearer $POSTHORN_PUBLIC_KEY"']
  return first === 'session' ? ['--cookie "token=$POSTHORN_SESSION"'] : []
}

function bodyArguments(contentType: string, schema: JsonSchema, schemas: Schemas): string[] {
  if (contentType === 'multipart/form-data') {
    const { properties = {} } = resolve(schema, schemas)
    const files = Object.entries(properties).filter(([, field]) => field.format === 'binary')
    return files.map(([name]) => `-F ${name}=@FILE`)
  }
  const text = JSON.stringify(sample(schema, schemas), null, 2).replace(/\n/g, '\n  ')
  return [`-H "Content-Type: ${contentType}"`, `-d '${text.replaceAll("'", "'\\''")}'`]
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

function sampleScalar(schema: JsonSchema): unknown {
  const known = SAMPLES[schema.format ?? '']
  if (known !== undefined) return known
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : 'text'
}
