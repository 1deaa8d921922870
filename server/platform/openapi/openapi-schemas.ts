/**
 * The JSON Schemas of one OpenAPI document, converted by zod. A schema with `.meta({id})` is written once under
 * `components.schemas` and referenced elsewhere. A schema can accept something different from what it returns
 * (defaults, transforms); only then does the input have its own name, such as `ContactInput` for `Contact`.
 */
import { z } from 'zod'
import type { JsonSchema } from './openapi-shape.ts'

export type Direction = 'input' | 'output'

export interface DescribedSchemas {
  /** Every named schema, by the name it has in the document. */
  components: Record<string, JsonSchema>
  /** A schema of `roots`; a named one is a reference. */
  refer(schema: z.ZodType, direction: Direction): JsonSchema
  /** The same schema expanded, even if it has a name. */
  expand(schema: z.ZodType, direction: Direction): JsonSchema
}

interface Converted {
  byRoot: Map<z.ZodType, JsonSchema>
  named: Record<string, JsonSchema>
}

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

export function describeSchemas(roots: Record<Direction, z.ZodType[]>): DescribedSchemas {
  const converted = { input: convert(roots.input, 'input'), output: convert(roots.output, 'output') }
  const differing = differingIds(converted.input.named, converted.output.named)
  const nameOf = (id: string, direction: Direction) => (direction === 'input' && differing.has(id) ? `${id}Input` : id)

  const renamed = (json: JsonSchema, direction: Direction): JsonSchema =>
    JSON.parse(JSON.stringify(json), (key, value) =>
      key === '$ref' && typeof value === 'string' ? SHARED + nameOf(value.slice(LOCAL.length), direction) : value,
    )

  const components = new Map<string, JsonSchema>()
  for (const direction of ['input', 'output'] as const) {
    for (const [id, json] of Object.entries(converted[direction].named)) {
      const name = nameOf(id, direction)
      if (name !== id && (converted.input.named[name] || converted.output.named[name])) {
        throw new Error(`${id} needs the name ${name} for what it accepts, but another schema already has it.`)
      }
      components.set(name, renamed(json, direction))
    }
  }

  const refer = (schema: z.ZodType, direction: Direction) =>
    renamed(converted[direction].byRoot.get(schema)!, direction)
  return {
    components: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    refer,
    expand(schema, direction) {
      const json = refer(schema, direction)
      return json.$ref ? components.get(json.$ref.slice(SHARED.length))! : json
    },
  }
}

/** All schemas of a direction at once, so that zod writes each named one once and refuses duplicate ids. */
function convert(roots: z.ZodType[], direction: Direction): Converted {
  const unique = [...new Set(roots)]
  const json = z.toJSONSchema(z.tuple(unique as [z.ZodType]), {
    target: 'draft-2020-12',
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as JsonSchema, direction),
  }) as JsonSchema
  const named = json.$defs ?? {}
  for (const id of Object.keys(named)) {
    if (id.startsWith('__schema')) throw new Error('A schema that contains itself needs a name: give it .meta({id}).')
    if (!/^[A-Za-z0-9._-]+$/.test(id)) throw new Error(`A schema id must be letters, digits, dots or dashes: ${id}`)
  }
  return { byRoot: new Map(unique.map((schema, i) => [schema, json.prefixItems![i]!])), named }
}

/** The ids of schemas whose input differs from their output, directly or through a reference. */
function differingIds(input: Record<string, JsonSchema>, output: Record<string, JsonSchema>): Set<string> {
  const differing = new Set<string>()
  const pairs = Object.entries(input)
    .filter(([id]) => output[id])
    .map(([id, json]) => ({ id, in: JSON.stringify(json), out: JSON.stringify(output[id]) }))
  const refersToDiffering = (text: string) => [...differing].some((id) => text.includes(`"$ref":"${LOCAL}${id}"`))
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const pair of pairs) if (pair.in !== pair.out || refersToDiffering(pair.in)) differing.add(pair.id)
  }
  return differing
}

function tidy(schema: z.core.$ZodTypes, json: JsonSchema, direction: Direction): void {
  const { def } = schema._zod
  if (def.type === 'date') Object.assign(json, { type: 'string', format: 'date-time' })
  if (def.type === 'file') delete json.contentEncoding
  // Clients must accept unknown fields; zod closes every object in responses.
  if (def.type === 'object' && !def.catchall) delete json.additionalProperties
  // Zod lists a field with `.catch()` as required although it is optional.
  if (def.type === 'object' && direction === 'input' && json.required) {
    json.required = json.required.filter((key) => def.shape[key]?._zod.def.type !== 'catch')
    if (json.required.length === 0) delete json.required
  }
  // The format is sufficient; zod's pattern for a date is 300 characters long.
  if (json.format) delete json.pattern
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.propertyNames?.type === 'string' && Object.keys(json.propertyNames).length === 1) delete json.propertyNames
  // Zod drops these from the input of a transform; those in `.meta()` describe the input.
  const meta = z.globalRegistry.get(schema)
  if (meta?.default !== undefined) json.default = meta.default
  if (Array.isArray(meta?.examples)) json.examples = meta.examples
}
