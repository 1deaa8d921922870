/** The page behind `{{viewInBrowserUrl}}`: for whom it exists, what it shows, and what it can't do. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { viewUrl } from '../../features/content/composing/links.ts'
import { withInlineImages } from '../../features/mail/emails/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp({ DATA_ENCRYPTION: 'on' })
  project = await createProject(app, 'Acme')
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const visit = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })
const pathOf = (emailId: string) =>
  new URL(viewUrl(app.ctx.secrets, 'http://posthorn.test', { projectId: project.id, emailId })).pathname

const BODY = `<html><body><p>Hello {{ name }}</p><a href="https://shop.example/new">New</a>
<a href="{{ viewInBrowserUrl }}">View in browser</a><img src="cid:photo" alt="Photo"></body></html>`

async function send(fields: object = {}) {
  const { body: template } = await call('POST', '/templates', {
    name: `View ${++counter}`,
    subject: 'Hi {{ name }}',
    body: BODY,
    from: 'hello@example.com',
    type: 'TRANSACTIONAL',
  })
  const { body } = await call('POST', '/v1/send', {
    to: `reader-${counter}@example.org`,
    template: template.id,
    data: { name: 'Ada', viewInBrowserUrl: 'https://evil.example' },
    attachments: [
      { filename: 'p.png', content: 'aGk=', contentType: 'image/png', contentId: 'photo', disposition: 'inline' },
    ],
    ...fields,
  })
  await app.drain()
  const [{ email: id, contact }] = body.data.emails
  return { id: id as string, contactId: contact.id as string }
}

it('an email links to a page that shows what its recipient received, with tracked links and without the pixel', async () => {
  const { id } = await send()
  const { body: email } = await call('GET', `/emails/${id}`)
  const [url] = email.html.match(/http:\/\/posthorn\.test\/view\/[\w-]{64}/)
  expect(new URL(url).pathname).toBe(pathOf(id))
  expect(email.html).toContain('/t/o/')

  const page = await visit(pathOf(id))
  expect(page.status).toBe(200)
  expect(page.body).toContain('<p>Hello Ada</p>')
  expect(page.body).toMatch(/href="http:\/\/posthorn\.test\/t\/c\//)
  expect(page.body).toMatch(new RegExp(`<a [^>]*href="[^"]*${pathOf(id)}"`))
  expect(page.body).toContain(`<style>a[href$="${pathOf(id)}"]{display:none!important}</style>`) // its link to itself
  expect(page.body).not.toContain('/t/o/')
  expect(page.body).toContain('src="data:image/png;base64,aGk="')
  expect((await call('GET', `/emails/${id}`)).body.opens).toBe(0)
})

it('the page is not cached or indexed, and its HTML runs no script in the origin of the dashboard', async () => {
  const { headers } = await visit(pathOf((await send()).id))
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  })
  const policy = headers['content-security-policy'] as string
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('script-src')
  expect(policy).toMatch(/; sandbox allow-popups allow-popups-to-escape-sandbox$/)
})

it('a forged link, and the token of a pixel, lead to an error page', async () => {
  const { id } = await send()
  const path = pathOf(id)
  const { body: email } = await call('GET', `/emails/${id}`)
  const pixel = email.html.match(/\/t\/o\/([\w-]{64})\.gif/)[1]
  for (const wrong of [`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, '/view/x', `/view/${pixel}`]) {
    const reply = await visit(wrong, { 'accept-language': 'de' })
    expect(reply.status).toBe(404)
    expect(reply.body).toContain('lang="de"')
    expect(reply.body).not.toContain('Ada')
  }
})

it('a page whose content was deleted explains that in the language of the recipient', async () => {
  const { id } = await send({ data: { name: 'Ada', locale: 'fr' } })
  await app.pool.query('delete from email_contents where project_id = $1', [project.id])
  const reply = await visit(pathOf(id), { 'accept-language': 'de' })
  expect(reply.status).toBe(404)
  expect(reply.body).toContain('Cet e-mail n’est plus disponible')
})

it('the page of a recipient whose data was erased explains that', async () => {
  const { id, contactId } = await send()
  expect((await call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
  await app.drain()
  const reply = await visit(pathOf(id))
  expect(reply.status).toBe(404)
  expect(reply.body).toContain('This email has been deleted')
})

it('the link of an unknown email, such as a preview, shows that the email is no longer available', async () => {
  const { body } = await call('POST', '/templates/preview', { subject: 's', body: '{{ viewInBrowserUrl }}' })
  expect(body.missing).toEqual([])
  const reply = await visit(new URL(body.html).pathname, { 'accept-language': 'es-MX' })
  expect(reply.status).toBe(404)
  expect(reply.body).toContain('Este correo ya no está disponible')
})

it('the pages of a disabled project are not shown', async () => {
  const { id } = await send()
  await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
  const reply = await visit(pathOf(id))
  await app.pool.query('update projects set disabled_at = null where id = $1', [project.id])
  expect(reply.status).toBe(404)
  expect((await visit(pathOf(id))).status).toBe(200)
})

it('a page stays small even if it shows a large image a thousand times', () => {
  const content = 'A'.repeat(1_000_000)
  const image = {
    filename: 'p.png',
    content,
    contentType: 'image/png',
    contentId: 'photo',
    disposition: 'inline' as const,
  }
  const page = withInlineImages('<img src="cid:photo">'.repeat(1_000), [image])
  expect(page.length).toBeLessThan(21_000_000)
  expect(page.match(/data:image/g)).toHaveLength(19)
})
