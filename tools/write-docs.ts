/**
 * Writes the documentation as static files, which any web server can serve from any folder.
 *   npm run build:docs -- [folder] [base URL of the API]
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { routes } from '../server/app.ts'
import { llmsFullText } from '../server/platform/guides/guides.ts'
import { siteFiles } from '../server/platform/guides/site-files.ts'
import { openApiDocument } from '../server/platform/openapi/openapi.ts'
import { VERSION } from '../server/platform/version.ts'
import { readSiteSources, staticLink } from './site-sources.ts'

const [folder = 'dist/docs', baseUrl = 'https://mail.example.com'] = process.argv.slice(2)

const sources = await readSiteSources()
const document = openApiDocument(routes, { version: VERSION, baseUrl })
const files = siteFiles({ ...sources, document }, { linkTo: staticLink, isServed: false })
files.set('llms-full.txt', llmsFullText(sources.guides))
await rm(folder, { recursive: true, force: true })
for (const [name, text] of files) {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await writeFile(path.join(folder, name), text)
}
await cp('docs/openapi.json', path.join(folder, 'openapi.json'))
const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
console.log(`${files.size} files with ${(bytes / 1e6).toFixed(1)} MB in ${folder}`)
