/**
 * Writes the OpenAPI document, the API reference with examples in each language, and the documentation site to the folder that is
 * named by the argument, compressed because they are large. The build bundles and runs it.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { routes } from '../server/app.ts'
import { llmsFullText, llmsText, slugOf } from '../server/platform/guides/guides.ts'
import { siteFiles } from '../server/platform/guides/site-files.ts'
import { apiReferencePage } from '../server/platform/openapi/api-reference.ts'
import { isLanguage, LANGUAGES } from '../server/platform/openapi/api-reference-languages.ts'
import { openApiDocument } from '../server/platform/openapi/openapi.ts'
import { ANY_BASE_URL } from '../server/platform/openapi/serve-reference.ts'
import { VERSION } from '../server/platform/version.ts'
import { readSiteSources, servedLink } from './site-sources.ts'

const folder = process.argv[2]!
const document = openApiDocument(routes, { version: VERSION, baseUrl: ANY_BASE_URL })
await mkdir(path.join(folder, 'openapi'), { recursive: true })
const write = (name: string, text: string) => writeFile(path.join(folder, `${name}.gz`), gzipSync(text, { level: 9 }))
await write('openapi.json', JSON.stringify(document))
for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
  await write(`${language}.html`, apiReferencePage(document, language))
}

for (const { name } of document.tags) {
  const part = openApiDocument(
    routes.filter(({ tag }) => tag === name),
    { version: VERSION, baseUrl: ANY_BASE_URL },
  )
  for (const [place, methods] of Object.entries(part.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId = document.paths[place]![method]!.operationId
    }
  }
  await write(`openapi/${slugOf(name)}.json`, JSON.stringify(part))
}

const sources = await readSiteSources()
const site = siteFiles({ ...sources, document }, { linkTo: servedLink, isServed: true })
for (const [name, text] of site) {
  await mkdir(path.dirname(path.join(folder, 'site', name)), { recursive: true })
  await write(`site/${name}`, text)
}
await write('llms.txt', llmsText(sources.guides, document, ANY_BASE_URL))
await write('llms-full.txt', llmsFullText(sources.guides))
