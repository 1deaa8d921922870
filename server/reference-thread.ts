/** Runs in a thread: builds the OpenAPI document, or the API reference with examples in one language. */
import { gzipSync } from 'node:zlib'
import { routes } from './app.ts'
import { apiReferencePage } from './platform/http/api-reference.ts'
import type { LanguageName } from './platform/http/api-reference-languages.ts'
import { openApiDocument } from './platform/http/openapi.ts'
import { serveJobs } from './platform/threads.ts'

export interface ReferenceRequest {
  version: string
  baseUrl: string
  /** The OpenAPI document is built if there is none. */
  language?: LanguageName
}

export interface BuiltReference {
  text: string
  gzip: Uint8Array
}

serveJobs(({ version, baseUrl, language }: ReferenceRequest): BuiltReference => {
  const document = openApiDocument(routes, { version, baseUrl })
  const text = language ? apiReferencePage(document, language) : JSON.stringify(document)
  return { text, gzip: gzipSync(text) }
})
