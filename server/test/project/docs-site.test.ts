/** The documentation site, as static files from the real guides and routes: each link leads somewhere, and pages are small. */
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSiteSources, staticLink } from '../../../tools/site-sources.ts'
import { routes } from '../../app.ts'
import { ERROR_CODES } from '../../kernel/error-codes.ts'
import type { Guide } from '../../platform/guides/guides.ts'
import type { SearchEntry } from '../../platform/guides/search-index.ts'
import { siteFiles } from '../../platform/guides/site-files.ts'
import { openApiDocument } from '../../platform/openapi/openapi.ts'
import type { JsonSchema } from '../../platform/openapi/openapi-shape.ts'

let guides: Guide[]
let files: Map<string, string>
let pages: Array<[name: string, text: string]>

beforeAll(async () => {
  const sources = await readSiteSources()
  const document = openApiDocument(routes, { version: '1.0.0', baseUrl: 'https://mail.example.com' })
  guides = sources.guides
  files = siteFiles({ ...sources, document }, { linkTo: staticLink, isServed: false })
  pages = [...files].filter(([name]) => name.endsWith('.html'))
})

const idsIn = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!)

describe('the documentation site', () => {
  it('links only to pages and sections that exist', () => {
    const ids = new Map(pages.map(([name, text]) => [name, new Set(idsIn(text))]))
    const broken = pages.flatMap(([name, text]) =>
      [...text.matchAll(/ (?:href|src|data-search)="([^"]+)"/g)].flatMap(([, href]) => {
        if (/^(https?:|mailto:|data:)/.test(href!) || href === '/openapi.json') return []
        const [file, anchor] = href!.split('#') as [string, string?]
        const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file)
        const exists = files.has(target) && (anchor === undefined || ids.get(target)!.has(anchor))
        return exists ? [] : [`${name}: ${href}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('has every guide that another one links to', () => {
    const names = new Set(guides.map(({ name }) => `${name}.md`))
    const missing = guides.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)#\s:]+\.md)[)#]/g)]
        .map(([, href]) => path.posix.join(path.posix.dirname(name), href!))
        .filter((target) => !target.startsWith('..') && !target.startsWith('decisions/') && !names.has(target))
        .map((target) => `${name}: ${target}`),
    )
    expect(missing).toEqual([])
  })

  it('has a page and Markdown for each guide and each error code', () => {
    const errors = Object.keys(ERROR_CODES).map((code) => `errors/${code}`)
    for (const name of [...guides.map(({ name }) => name), ...errors]) {
      expect(files.has(`${name}.html`), name).toBe(true)
      expect(files.get(`${name}.md`), name).toMatch(/^# /)
    }
    expect(files.get('errors/CONFLICT.html')).toContain('<h2 id="what-to-do">')
  })

  it('has pages of less than 100 KB, and takes less than 5 MB', () => {
    const large = pages.filter(([, text]) => Buffer.byteLength(text) >= 100_000).map(([name]) => name)
    expect(large).toEqual([])
    const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    expect(bytes).toBeLessThan(5_000_000)
  })

  it('has no duplicate IDs, no inline scripts and no inline styles', () => {
    for (const [name, text] of pages) {
      const ids = idsIn(text)
      expect(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        name,
      ).toEqual([])
      expect(text.match(/<script(?![^>]* src=)|<style| style=| on\w+=/g), name).toBeNull()
    }
  })

  it('has every endpoint once in the reference, with samples in six languages, and in the search', () => {
    const operations = routes.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort()
    const reference = pages.filter(([name]) => name.startsWith('reference/'))
    const shown = reference.flatMap(([, text]) =>
      [...text.matchAll(/<p class="place"><b class="(\w+)">\w+<\/b><code>([^<]+)<\/code>/g)].map(
        ([, method, path]) => `${method} ${path}`,
      ),
    )
    expect(shown.sort()).toEqual(operations)
    const { send } = JSON.parse(files.get('reference/emails.json')!)
    expect(Object.keys(send.samples)).toEqual(['curl', 'node', 'python', 'php', 'go', 'ruby'])
    expect(send).toMatchObject({ method: 'POST', path: '/v1/send', body: { to: expect.anything() } })
    const index: SearchEntry[] = JSON.parse(files.get('search.json')!)
    expect(index.find(({ title }) => title === 'POST /v1/send')?.page).toBe('reference/emails#send')
    const missing = index.filter(({ page }) => {
      const [name, anchor] = page.split('#')
      return anchor !== undefined && !idsIn(files.get(`${name}.html`) ?? '').includes(anchor)
    })
    expect(missing.map(({ page }) => page)).toEqual([])
  })
})

it('every parameter and every field of a request or response has a description in OpenAPI', () => {
  const document = openApiDocument(routes, { version: '1.0.0' })
  const missing: string[] = []
  const visit = (schema: JsonSchema, place: string): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!field.description || field.description.includes('{thing}')) missing.push(`${place}.${name}`)
      visit(field, `${place}.${name}`)
    }
    const parts = [schema.anyOf, schema.oneOf, schema.allOf, [schema.items], [schema.additionalProperties]].flat()
    for (const part of parts) if (typeof part === 'object') visit(part, place)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name)
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters = [], requestBody, responses } = operation
    for (const parameter of parameters) {
      if ('in' in parameter && !parameter.description) missing.push(`${operationId}?${parameter.name}`)
    }
    const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
      one && 'content' in one ? Object.values(one.content ?? {}) : [],
    )
    for (const { schema } of contents) visit(schema, operationId)
  }
  expect(missing, 'describe them in the schema, or in platform/openapi/descriptions').toEqual([])
})
