/**
 * Turns a JSON Schema into a table: one row per field, named by its dot path, with its type and limits. Alternatives of
 * different shape become groups with a heading.
 */
import { type Html, html, joined } from '../http/html.ts'
import type { JsonSchema } from './openapi-shape.ts'

export type Schemas = Record<string, JsonSchema>

export interface FieldRow {
  path: string
  type: Html
  required: boolean
  deprecated: boolean
  description?: string
  limits: Html[]
}

export interface FieldGroup {
  /** What distinguishes this alternative; absent for the fields that always apply. */
  heading?: string
  rows: FieldRow[]
}

const DEEPEST = 6
const REFERENCE = '#/components/schemas/'

export const schemaName = (schema: JsonSchema) => schema.$ref?.slice(REFERENCE.length)

export const objectAnchor = (name: string) => `object-${name}`

/** A named schema inside this one is only linked: the page describes each of them once. */
export function fieldGroups(schema: JsonSchema, schemas: Schemas): FieldGroup[] {
  return groupsOf(resolve(schema, schemas), '', schemas).filter((group) => group.rows.length > 0)
}

function groupsOf(schema: JsonSchema, prefix: string, schemas: Schemas): FieldGroup[] {
  const shapes = distinct(shapesOf(schema, prefix, schemas))
  if (shapes.length === 1) return [{ rows: rowsOf(shapes[0]!, schemas) }]
  return shapes.map((shape) => ({ heading: headingOf(shape), rows: rowsOf(shape, schemas) }))
}

/** An object with fields inside a schema: in an alternative, a list or a map. */
interface Shape {
  prefix: string
  schema: JsonSchema
}

function shapesOf(schema: JsonSchema, prefix: string, schemas: Schemas): Shape[] {
  if (schemaName(schema)) return []
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 1) return alternatives.flatMap((one) => shapesOf(one, prefix, schemas))
  if (schema.allOf) return [{ prefix, schema: merge(schema, schemas) }]
  if (isSchema(schema.items)) return shapesOf(schema.items, `${prefix}[]`, schemas)
  if (schema.properties) return [{ prefix, schema }]
  return isSchema(schema.additionalProperties)
    ? shapesOf(schema.additionalProperties, dotted(prefix, '*'), schemas)
    : []
}

/** A list of recipients and a single recipient have the same fields, so they are listed once. */
function distinct(shapes: Shape[]): Shape[] {
  const seen = new Set<string>()
  return shapes.filter((shape) => {
    const text = JSON.stringify(shape.schema.properties)
    return !seen.has(text) && seen.add(text)
  })
}

function rowsOf(shape: Shape, schemas: Schemas): FieldRow[] {
  const { properties = {}, required = [] } = shape.schema
  return Object.entries(properties).flatMap(([key, field]) => {
    const path = dotted(shape.prefix, key)
    const row: FieldRow = {
      path,
      type: typeOf(field),
      required: required.includes(key),
      deprecated: field.deprecated === true,
      description: field.description,
      limits: limitsOf(field, schemas),
    }
    const deepEnough = path.split('.').length >= DEEPEST
    const inner = deepEnough ? [] : groupsOf(field, path, schemas)
    return [row, ...inner.flatMap((group) => under(group.heading, group.rows))]
  })
}

/** For fields of a nested alternative, the condition precedes the description. */
function under(heading: string | undefined, rows: FieldRow[]): FieldRow[] {
  if (!heading) return rows
  return rows.map((row) => ({ ...row, limits: [html`${heading}`, ...row.limits] }))
}

function headingOf({ schema }: Shape): string {
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (field.const !== undefined) return `If ${key} is ${JSON.stringify(field.const)}`
  }
  return schema.title ?? `With ${(schema.required ?? Object.keys(schema.properties ?? {})).join(', ')}`
}

const dotted = (prefix: string, key: string) => (prefix ? `${prefix}.${key}` : key)

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = schemas[schemaName(schema) ?? '']
  return target ? resolve(target, schemas) : schema
}

function merge(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(part, schemas))]
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

/** The possible values, with nested unions flattened. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const union = schema.anyOf ?? schema.oneOf
  if (union) return union.flatMap(alternativesOf)
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }))
  return [schema]
}

export function typeOf(schema: JsonSchema): Html {
  const alternatives = alternativesOf(schema)
  const labels = new Map(alternatives.map((one) => [singleType(one).markup, singleType(one)]))
  return joined([...labels.values()], ' or ')
}

function singleType(schema: JsonSchema): Html {
  const name = schemaName(schema)
  if (name) return html`<a href="#${objectAnchor(name)}">${name}</a>`
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`
  if (isSchema(schema.items)) {
    const several = alternativesOf(schema.items).length > 1
    return several ? html`list of (${typeOf(schema.items)})` : html`list of ${typeOf(schema.items)}`
  }
  const values = schema.additionalProperties
  if (!schema.properties && isSchema(values) && Object.keys(values).length > 0) return html`map of ${typeOf(values)}`
  if (schema.allOf) return html`object`
  const type = typeof schema.type === 'string' ? schema.type : 'anything'
  return schema.format && schema.format !== 'base64' ? html`${type} (${schema.format})` : html`${type}`
}

function limitsOf(schema: JsonSchema, schemas: Schemas): Html[] {
  const alternatives = alternativesOf(schema).map((one) => resolve(one, schemas))
  const whole = alternatives.filter((one) => one.type !== 'null')
  const one = whole.length === 1 ? { ...whole[0], default: schema.default } : schema
  const limits = ownLimits(one)
  if (isSchema(one.items)) limits.push(...ownLimits(resolve(one.items, schemas)).map((limit) => html`each: ${limit}`))
  if (schema.default !== undefined) limits.push(html`default <code>${JSON.stringify(schema.default)}</code>`)
  return limits
}

function ownLimits(schema: JsonSchema): Html[] {
  const limits: Html[] = []
  if (schema.enum) {
    limits.push(
      html`one of ${joined(
        schema.enum.map((value) => html`<code>${String(value)}</code>`),
        ' ',
      )}`,
    )
  }
  const ranges: [number | undefined, number | undefined, string][] = [
    [schema.minLength, schema.maxLength, 'character'],
    [schema.minItems, schema.maxItems, 'item'],
    [schema.minimum, schema.maximum, ''],
  ]
  for (const [least, most, unit] of ranges) {
    if (least !== undefined || most !== undefined) limits.push(html`${range(least, most, unit)}`)
  }
  if (schema.exclusiveMinimum !== undefined) limits.push(html`greater than ${schema.exclusiveMinimum}`)
  if (schema.exclusiveMaximum !== undefined) limits.push(html`less than ${schema.exclusiveMaximum}`)
  if (schema.pattern && schema.pattern.length <= 60) limits.push(html`matches <code>${schema.pattern}</code>`)
  if (schema.contentEncoding === 'base64') limits.push(html`base64`)
  return limits
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words =
    most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least} to ${most}`
  if (unit === '') return words
  return `${words} ${unit}${(most ?? least) === 1 ? '' : 's'}`
}
