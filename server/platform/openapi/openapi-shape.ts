/** The parts of an OpenAPI 3.1 document that `openapi.ts` writes and the API reference shows. */
export interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  format?: string
  title?: string
  description?: string
  deprecated?: boolean
  default?: unknown
  examples?: unknown[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: boolean | JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  [keyword: string]: unknown
}

export interface Reference {
  $ref: string
}

export interface Header {
  description: string
  schema: JsonSchema
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  deprecated?: boolean
  schema: JsonSchema
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>

export interface Response {
  description: string
  headers?: Record<string, Reference>
  content?: Content
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | Reference>
  security: Record<string, string[]>[]
  /** Its method in the clients, such as `contacts.upsert`. */
  'x-client-method'?: string
  /** The minimum role of a member's session. */
  'x-role'?: string
  /** The scope that an API key needs. */
  'x-required-scope'?: string
}

export interface SecurityScheme {
  type: 'http' | 'apiKey'
  description: string
  scheme?: string
  in?: 'cookie'
  name?: string
}

export interface Components {
  schemas: Record<string, JsonSchema>
  responses: Record<string, Response>
  parameters: Record<string, Parameter>
  headers: Record<string, Header>
  securitySchemes: Record<string, SecurityScheme>
}

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Components
}
