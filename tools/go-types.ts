/** Go structs for the JSON schemas of the OpenAPI document: those of components by their name, others by where they are used. */
import type { JsonSchema, OpenApiDocument } from '../server/platform/openapi/openapi-shape.ts'

export class GoTypes {
  private readonly structs = new Map<string, string>()
  private readonly document: OpenApiDocument

  constructor(document: OpenApiDocument) {
    this.document = document
  }

  text(): string {
    return [...this.structs.values()].join('')
  }

  add(name: string, description: string, fields: string[]): void {
    if (this.structs.has(name)) throw new Error(`Two types of the Go client have the name ${name}.`)
    this.structs.set(name, `\n// ${name} ${description}\ntype ${name} struct {\n${fields.join('\n')}}\n`)
  }

  /** The type of a value that is there and isn't null. `name` is that of the struct, if it needs one of its own. */
  of(schema: JsonSchema, name: string): string {
    const { schema: resolved, name: ownName } = this.resolve(schema, name)
    const { type, anyOf, oneOf, properties, additionalProperties, items, format } = resolved
    const union = anyOf ?? oneOf
    if (union) return this.shared(union, ownName)
    if (Array.isArray(type))
      return this.shared(
        type.map((one) => ({ ...resolved, type: one })),
        ownName,
      )
    if (type === 'array') return `[]${typeof items === 'object' ? this.of(items, `${ownName}Item`) : 'any'}`
    if (properties) return this.struct(ownName, resolved)
    if (type === 'object') {
      return `map[string]${typeof additionalProperties === 'object' ? this.of(additionalProperties, `${ownName}Value`) : 'any'}`
    }
    if (format === 'date-time') return 'time.Time'
    if (format === 'binary') return '[]byte'
    const constant = resolved.const ?? resolved.enum?.[0]
    return SIMPLE[String(type ?? typeof constant)] ?? 'any'
  }

  /** A field of a struct, with its comment. A field that is `unsent` isn't part of the JSON body. */
  field(field: string, schema: JsonSchema, required: boolean, owner: string, sent: 'json' | 'unsent' = 'json'): string {
    const name = exported(field)
    const type = this.of(schema, owner + name)
    const isNullable = this.allowsNull(schema)
    const canBeNil = type === 'any' || type.startsWith('[]') || type.startsWith('map[')
    const typed = !required ? `Optional[${type}]` : isNullable && !canBeNil ? `*${type}` : type
    const tag = sent === 'unsent' ? '-' : required ? field : `${field},omitempty`
    const { schema: resolved } = this.resolve(schema, name)
    const allowed = resolved.enum?.filter((one) => one !== null).map((one) => JSON.stringify(one))
    const text = [
      oneLine(schema.description ?? resolved.description ?? ''),
      ...(allowed ? [`One of ${allowed.join(', ')}.`] : []),
    ].join(' ')
    return `${text.trim() ? `\t// ${text.trim()}\n` : ''}\t${name} ${typed} \`json:"${tag}"\`\n`
  }

  /** The schema itself, without references and null, and the name of its type. */
  resolve(schema: JsonSchema, name: string): { schema: JsonSchema; name: string } {
    const reference = schema.$ref?.split('/').at(-1)
    if (reference !== undefined) return this.resolve(this.document.components.schemas[reference]!, exported(reference))
    const union = schema.anyOf ?? schema.oneOf
    const others = union?.filter((one) => one.type !== 'null')
    return others?.length === 1 && others.length < union!.length ? this.resolve(others[0]!, name) : { schema, name }
  }

  private struct(name: string, { properties = {}, required = [], description }: JsonSchema): string {
    if (!this.structs.has(name)) {
      this.structs.set(name, '') // a type can refer to itself
      const fields = Object.entries(properties).map(([field, schema]) =>
        this.field(field, schema, required.includes(field), name),
      )
      this.structs.delete(name)
      this.add(name, description ? `is: ${oneLine(description)}` : 'is an object of the API.', fields)
    }
    return name
  }

  /** One type if all variants have the same one. Structs are different even if their fields are the same. */
  private shared(variants: JsonSchema[], name: string): string {
    const some = variants.filter(({ type }) => type !== 'null')
    if (some.length > 1 && some.some((one) => this.resolve(one, name).schema.properties)) return 'any'
    const distinct = new Set(some.map((one) => this.of(one, name)))
    return distinct.size === 1 ? [...distinct][0]! : 'any'
  }

  private allowsNull(schema: JsonSchema): boolean {
    const { type, anyOf, oneOf } = schema
    return (
      type === 'null' ||
      (Array.isArray(type) && type.includes('null')) ||
      !!(anyOf ?? oneOf)?.some((one) => this.allowsNull(one)) ||
      !!schema.enum?.includes(null)
    )
  }
}

const SIMPLE: Record<string, string> = { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool' }

/** Words that Go writes in capitals. */
const INITIALISMS = new Map(
  'API DNS HTML HTTP ID IDs IP IPs MJML SMTP URL URLs UTM'.split(' ').map((word) => [word.toLowerCase(), word]),
)

const words = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `contactId` as ContactID. */
export const exported = (name: string): string =>
  words(name)
    .map((word) => INITIALISMS.get(word.toLowerCase()) ?? upperFirst(word))
    .join('')

const KEYWORDS = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var ctx params'.split(
    ' ',
  ),
)

/** The name of an argument. */
export const unexported = (name: string): string => {
  const [first = '', ...rest] = words(name)
  const written = first.toLowerCase() + rest.map(exported).join('')
  return KEYWORDS.has(written) ? `${written}_` : written
}

/** A comment is one line. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
