/**
 * Turns zod schemas into JSON Schema for one OpenAPI document. A schema with `.meta({id})` is written once under
 * `components.schemas` and referred to everywhere else. A schema may look different going in and coming out
 * (defaults, transforms): only then does the way in get a name of its own, `ContactInput` beside `Contact`.
 */
import { z } from 'zod'
import type { JsonSchema } from './openapi-shape.ts'

export type Direction = 'input' | 'output'

export interface SchemaCollector {
  /** The schema, with placeholders where it refers to named ones. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema
  /** As `convert`, but the schema itself is written out even if it has a name. */
  expand(schema: z.ZodType, direction: Direction): JsonSchema
  /** Every named schema met so far, and the final address for a placeholder. Comes last: only now are names known. */
  finish(): { schemas: Record<string, JsonSchema>; addressOf(placeholder: string): string }
}

interface Named {
  id: string
  direction: Direction
  json: JsonSchema
}

const LOCAL = '#/$defs/'
const placeholder = (id: string, direction: Direction) => `${direction}:${id}`

export function collectSchemas(): SchemaCollector {
  const named = new Map<string, Named>()

  function keep(id: string, direction: Direction, json: JsonSchema): void {
    if (!/^[A-Za-z0-9._-]+$/.test(id)) throw new Error(`A schema id must be letters, digits, dots or dashes: ${id}`)
    const known = named.get(placeholder(id, direction))
    if (known && JSON.stringify(known.json) !== JSON.stringify(json)) {
      throw new Error(`Two different schemas share the id ${id}.`)
    }
    named.set(placeholder(id, direction), { id, direction, json })
  }

  function convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $defs = {}, ...root } = toJsonSchema(schema, direction)
    for (const [id, definition] of Object.entries($defs)) {
      if (!isNameless(id)) keep(id, direction, inlineNameless(definition, $defs))
    }
    return withPlaceholders(inlineNameless(root, $defs), direction)
  }

  return {
    convert,
    expand(schema, direction) {
      const json = convert(schema, direction)
      const target = json.$ref ? named.get(json.$ref) : undefined
      return target ? withPlaceholders(target.json, direction) : json
    },
    finish() {
      const differing = differingIds(named)
      const names = new Map<string, string>()
      const schemas = new Map<string, JsonSchema>()
      for (const [key, { id, direction, json }] of named) {
        const name = direction === 'input' && differing.has(id) ? `${id}Input` : id
        if (name !== id && (named.has(placeholder(name, 'input')) || named.has(placeholder(name, 'output')))) {
          throw new Error(`${id} needs the name ${name} for its way in, but another schema has that id.`)
        }
        names.set(key, `#/components/schemas/${name}`)
        schemas.set(name, withPlaceholders(json, direction))
      }
      const inOrder = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
      return { schemas: Object.fromEntries(inOrder), addressOf: (key) => names.get(key) ?? key }
    },
  }
}

/** The ids whose two directions differ, in themselves or in something they refer to. */
function differingIds(named: Map<string, Named>): Set<string> {
  const differing = new Set<string>()
  const pairs = [...named.values()].flatMap((way) => {
    const back = named.get(placeholder(way.id, 'output'))
    return way.direction === 'input' && back
      ? [{ id: way.id, in: JSON.stringify(way.json), out: JSON.stringify(back.json) }]
      : []
  })
  const refersToDiffering = (text: string) => [...differing].some((id) => text.includes(`"$ref":"${LOCAL}${id}"`))
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const pair of pairs) if (pair.in !== pair.out || refersToDiffering(pair.in)) differing.add(pair.id)
  }
  return differing
}

function withPlaceholders(node: JsonSchema, direction: Direction): JsonSchema {
  const copy = mapNodes(node, (child) => withPlaceholders(child, direction))
  if (copy.$ref?.startsWith(LOCAL)) copy.$ref = placeholder(copy.$ref.slice(LOCAL.length), direction)
  return copy
}

function toJsonSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as JsonSchema, direction),
  })
  return json as JsonSchema
}

function tidy(schema: z.core.$ZodTypes, json: JsonSchema, direction: Direction): void {
  const { def } = schema._zod
  if (def.type === 'date') Object.assign(json, { type: 'string', format: 'date-time' })
  if (def.type === 'file') delete json.contentEncoding
  // A client must live with fields it does not know yet; zod calls every reply closed.
  if (def.type === 'object' && !def.catchall) delete json.additionalProperties
  // Zod counts a field with `.catch()` as required, although it may be missing.
  if (def.type === 'object' && direction === 'input' && json.required) {
    json.required = json.required.filter((key) => def.shape[key]?._zod.def.type !== 'catch')
    if (json.required.length === 0) delete json.required
  }
  // The format says it; zod's own expression for a date alone is 300 characters long.
  if (json.format) delete json.pattern
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.propertyNames?.type === 'string' && Object.keys(json.propertyNames).length === 1) delete json.propertyNames
  // Zod drops these from what goes into a transform. Written by hand they describe just that.
  const meta = z.globalRegistry.get(schema)
  if (meta?.default !== undefined) json.default = meta.default
  if (Array.isArray(meta?.examples)) json.examples = meta.examples
}

const isNameless = (id: string) => id.startsWith('__schema')

/** Zod also cuts out nameless pieces of recursive schemas; their numbers differ from call to call, so they go back in. */
function inlineNameless(node: JsonSchema, definitions: Record<string, JsonSchema>, within: string[] = []): JsonSchema {
  const id = node.$ref?.startsWith(LOCAL) ? node.$ref.slice(LOCAL.length) : undefined
  if (node.$ref === '#' || (id && within.includes(id))) {
    throw new Error('A schema that contains itself needs a name: give it .meta({id}).')
  }
  if (id && isNameless(id)) {
    const { $ref: _, ...siblings } = node
    return { ...inlineNameless(definitions[id]!, definitions, [...within, id]), ...siblings }
  }
  return mapNodes(node, (child) => inlineNameless(child, definitions, within))
}

const MAPS = ['properties', 'patternProperties'] as const
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const SINGLES = ['items', 'additionalProperties', 'propertyNames', 'not'] as const

/** A copy of a schema with `change` applied to its direct subschemas; values such as defaults and examples are left alone. */
function mapNodes(node: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...node }
  for (const keyword of MAPS) {
    const map = copy[keyword] as Record<string, JsonSchema> | undefined
    if (map) copy[keyword] = Object.fromEntries(Object.entries(map).map(([key, child]) => [key, change(child)]))
  }
  for (const keyword of LISTS) if (copy[keyword]) copy[keyword] = copy[keyword].map(change)
  for (const keyword of SINGLES) {
    const child = copy[keyword]
    if (child && typeof child === 'object') copy[keyword] = change(child as JsonSchema)
  }
  return copy
}
