/** The gallery: every template is valid, renders with its sample data and passes the checks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkContrast } from '../../features/content/checks/contrast-rules.ts'
import { gallery } from '../../features/content/gallery/actions.ts'
import { withPictures } from '../../features/content/gallery/blocks.ts'
import { PICTURES } from '../../features/content/gallery/pictures.ts'
import { readImage } from '../../features/content/uploads/image.ts'
import { EmailDocument } from '../../kernel/content/email-document.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { expectSame } from '../rendering/both-ways.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app, 'Acme')
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

/** What authors replace before they send an email, or enter for their project; and the pictures of this service have an http address. */
const REPLACED = new Set(['address.missing', 'link.example', 'text.sample', 'image.insecure'])

/** The HTML as a client in dark mode shows it: with the declarations of its classes as the last inline ones. */
function inDarkColors(html: string): string {
  const [rules = ''] = /@media \(prefers-color-scheme: dark\)[\s\S]*?\n\}/.exec(html) ?? []
  const styles = new Map([...rules.matchAll(/\.(ph-dark-\d+)\{([^}]*)\}/g)].map(([, name, style]) => [name, style]))
  expect(styles.size).toBeGreaterThan(5)
  return html.replaceAll(/<[^>]*\b(ph-dark-\d+)[^>]*>/g, (tag, name) =>
    tag.replace(/style="([^"]*?);?"/, (_, style) => `style="${style};${styles.get(name)}"`),
  )
}

it('GET /templates/gallery lists at least 16 templates with different names, without their documents', async () => {
  const { status, body } = await call('GET', '/templates/gallery')
  expect(status).toBe(200)
  expect(body.length).toBeGreaterThanOrEqual(16)
  expect(new Set(body.map(({ slug }: { slug: string }) => slug)).size).toBe(body.length)
  expect(new Set(body.map(({ name }: { name: string }) => name)).size).toBe(body.length)
  expect(body[0]).not.toHaveProperty('document')
})

it('GET /templates/gallery/{slug} returns 404 for an unknown template', async () => {
  expect((await call('GET', '/templates/gallery/unknown')).status).toBe(404)
})

describe('the pictures of the gallery', () => {
  it.each(PICTURES)('%s is a small PNG that anyone can load, and is used once', async (name) => {
    const { statusCode, headers, rawPayload } = await app.server.inject({ url: `/gallery/pictures/${name}.png` })
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
    expect(await readImage(rawPayload)).toMatchObject({ width: 1056, height: 440, contentType: 'image/png' })
    expect(rawPayload.length).toBeLessThan(40_000)
    const using = gallery.filter(({ document }) => JSON.stringify(document).includes(`/${name}.png`))
    expect(using).toHaveLength(1)
  })

  it('another name is not found', async () => {
    expect((await app.request('GET', '/gallery/pictures/constructor.png')).status).toBe(404)
  })
})

describe.each(gallery.map((template) => [template.slug, template] as const))(
  'the gallery template %s',
  (slug, template) => {
    const document = withPictures(template.document, 'http://posthorn.test/gallery/pictures')

    it('has a valid document and a preview with the sample data and nothing left to render', async () => {
      expect(EmailDocument.parse(template.document)).toEqual(template.document)
      const { status, body } = await call('GET', `/templates/gallery/${slug}`)
      expect(status).toBe(200)
      expect(body.document).toEqual(document)
      expect(body.html).toContain('Acme')
      expect(body.html).not.toMatch(/\{\{|\{%|%\}|\}\}/)
      expect(body.html).not.toContain('](')
      const preview = await call('POST', '/templates/preview', {
        subject: template.subject,
        preheader: template.preheader,
        document,
        type: template.type,
        data: template.data,
      })
      expect(preview.body.missing).toEqual([])
      expect(preview.body.subject).not.toBe('')
    })

    it('passes the checks, except for what is a sample', async () => {
      const { status, body } = await call('POST', '/templates/check', {
        subject: template.subject,
        preheader: template.preheader,
        document,
        type: template.type,
        data: template.data,
      })
      expect(status).toBe(200)
      expect(body.findings.filter(({ code }: { code: string }) => !REPLACED.has(code))).toEqual([])
    })

    it('is readable in dark colors', async () => {
      const { body } = await call('GET', `/templates/gallery/${slug}`)
      const dark = inDarkColors(body.html)
      expect(dark).not.toMatch(/<(?:div|td|table)[^>]*background(?:-color)?:#ffffff[^>]*;background-color:#ffffff"/)
      expect(checkContrast({ html: dark })).toEqual([])
    })

    it('can be saved as a template and sent', async () => {
      const { body: created, status } = await call('POST', '/templates', {
        name: template.name,
        subject: template.subject,
        preheader: template.preheader,
        document,
        type: template.type,
        from: 'hello@example.com',
      })
      expect(status).toBe(201)
      const people = ['Ada', 'Grace', 'Zoë'].map((firstName, i) => ({ ...template.data, firstName, i }))
      await expectSame({ content_body: created.body, content_type: template.type }, [template.data, ...people])
      const sent = await call('POST', '/v1/send', {
        to: `${slug}@example.org`,
        template: created.id,
        data: template.data,
        subscribed: true,
      })
      expect(sent.status).toBe(200)
      await app.drain()
      const { body: email } = await call('GET', `/emails/${sent.body.data.emails[0].email}`)
      expect(email.status).toBe('DELIVERED')
      expect(email.html.match(/\/unsubscribe\//g)?.length ?? 0).toBe(template.type === 'MARKETING' ? 1 : 0)
    })
  },
)
