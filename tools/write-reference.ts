/**
 * Writes the OpenAPI document, and the API reference with examples in each language, to the folder that is named by the
 * argument, compressed because they are large. The build bundles and runs it.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { routes } from '../server/app.ts'
import { apiReferencePage } from '../server/platform/openapi/api-reference.ts'
import { isLanguage, LANGUAGES } from '../server/platform/openapi/api-reference-languages.ts'
import { openApiDocument } from '../server/platform/openapi/openapi.ts'
import { ANY_BASE_URL } from '../server/platform/openapi/serve-reference.ts'
import { VERSION } from '../server/platform/version.ts'

const folder = process.argv[2]!
const document = openApiDocument(routes, { version: VERSION, baseUrl: ANY_BASE_URL })
await mkdir(folder, { recursive: true })
const write = (name: string, text: string) => writeFile(path.join(folder, `${name}.gz`), gzipSync(text, { level: 9 }))
await write('openapi.json', JSON.stringify(document))
for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
  await write(`${language}.html`, apiReferencePage(document, language))
}
