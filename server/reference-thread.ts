/** Runs in a thread: builds the OpenAPI document, or the API reference with examples in one language. */
import { gzipSync } from 'node:zlib'
import { routes } from './app.ts'
import { apiReferencePage } from './platform/openapi/api-reference.ts'
import { openApiDocument } from './platform/openapi/openapi.ts'
import { serveJobs } from './platform/threads.ts'
import type { BuiltReference, ReferenceRequest } from './reference.ts'

serveJobs(({ version, baseUrl, language }: ReferenceRequest): BuiltReference => {
  const document = openApiDocument(routes, { version, baseUrl })
  const text = language ? apiReferencePage(document, language) : JSON.stringify(document)
  return { text, gzip: gzipSync(text) }
})
