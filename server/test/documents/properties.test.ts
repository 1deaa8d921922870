/** Any document of the schema compiles, is returned as it was saved, and renders completely. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EmailDocument } from '../../kernel/content/email-document.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { emailDocuments } from './email-documents.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const DATA = {
  name: 'Ada <3',
  link: 'https://example.org/?a=1&b=2',
  order: { lines: [{ name: 'a', order: { lines: 'x' } }] },
  or: { x: [1, 2] },
  größe: 'L',
  limit: 3,
}

const STYLE_SHEET = /<style type="text\/css">\n@media \(prefers-color-scheme: dark\)[\s\S]*?<\/style>/

it('dark mode only adds classes and a style sheet', async () => {
  await fc.assert(
    fc.asyncProperty(emailDocuments, async (given) => {
      const { settings, ...rest } = EmailDocument.parse(given)
      const preview = async (darkMode: boolean) => {
        const document = { ...rest, settings: { ...settings, darkMode } }
        const { status, body } = await call('POST', '/templates/preview', { subject: 'Any', document, data: DATA })
        expect(status, JSON.stringify(body)).toBe(200)
        return body.html as string
      }
      const [light, dark] = [await preview(false), await preview(true)]
      expect(dark).toMatch(STYLE_SHEET)
      expect(dark.replace(STYLE_SHEET, '').replaceAll(/class="ph-dark-\d+" | ph-dark-\d+/g, '')).toBe(light)
    }),
    { numRuns: 30, seed: 21 },
  )
})

it('any document compiles, is returned as it was saved, and renders without delimiters', async () => {
  await fc.assert(
    fc.asyncProperty(emailDocuments, async (given) => {
      const document = EmailDocument.parse(given)
      const fields = { name: 'Any', subject: 'Any', from: 'hello@example.com', type: 'MARKETING' }
      const saved = await call('POST', '/templates', { ...fields, document })
      expect(saved.status, JSON.stringify(saved.body)).toBe(201)
      expect((await call('GET', `/templates/${saved.body.id}`)).body.document).toEqual(document)
      const { status, body } = await call('POST', '/templates/preview', { ...fields, document, data: DATA })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.body).toBe(saved.body.body)
      expect(body.html.replaceAll('{ {{ }', '')).not.toMatch(/\{\{|\{%/)
      expect(body.html).not.toMatch(/<\/?mj-(?!text)|\\u\{/)
      expect(body.html.match(/\/unsubscribe\//g)?.length).toBeGreaterThan(0)
    }),
    { numRuns: 60, seed: 20 },
  )
})
