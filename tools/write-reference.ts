/**
 * Writes the OpenAPI document, the API reference with examples in each language, and the guides of docs/ to the folder that is
 * named by the argument, compressed because they are large. The build bundles and runs it.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { routes } from '../server/app.ts'
import { guidePage, llmsFullText, llmsText, readGuide, slugOf } from '../server/platform/guides/guides.ts'
import { apiReferencePage } from '../server/platform/openapi/api-reference.ts'
import { isLanguage, LANGUAGES } from '../server/platform/openapi/api-reference-languages.ts'
import { openApiDocument } from '../server/platform/openapi/openapi.ts'
import { ANY_BASE_URL } from '../server/platform/openapi/serve-reference.ts'
import { VERSION } from '../server/platform/version.ts'

const folder = process.argv[2]!
const document = openApiDocument(routes, { version: VERSION, baseUrl: ANY_BASE_URL })
for (const name of ['openapi', 'guides/migrate']) await mkdir(path.join(folder, name), { recursive: true })
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

const DOCS = path.resolve('docs')

async function readGuides(below = '') {
  const names = (await readdir(path.join(DOCS, below))).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (name) =>
      readGuide(below + name.slice(0, -'.md'.length), await readFile(path.join(DOCS, below, name), 'utf8')),
    ),
  )
}

const guides = [...(await readGuides()), ...(await readGuides('migrate/'))]
for (const guide of guides) {
  await write(`guides/${guide.name}.md`, guide.text)
  await write(`guides/${guide.name}.html`, guidePage(guide))
}
await write('llms.txt', llmsText(guides, document, ANY_BASE_URL))
await write('llms-full.txt', llmsFullText(guides))
