/** The language of a project, which footers and preference pages use for contacts without a locale. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let template: string
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await createProject(app)
  await speak('de')
  template = (
    await call('POST', '/templates', {
      name: 'News',
      subject: 'News',
      body: '<p>News</p>',
      type: 'MARKETING',
      from: 'hello@example.com',
    })
  ).body.id
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

async function speak(language: string) {
  expect((await call('PATCH', `/users/@me/projects/${project.id}`, { language })).body).toMatchObject({ language })
}

async function send(data: object) {
  const to = `reader-${++counter}@example.org`
  const { body } = await call('POST', '/v1/send', { to, template, subscribed: true, data })
  return { to, id: body.data.emails[0].email as string }
}

/** The sent message, the stored email, and the page of its link. */
async function read({ to, id }: { to: string; id: string }) {
  await app.drain()
  const captured = (await app.captured()).find((message) => message.recipients.includes(to))!
  const { html = '' } = await PostalMime.parse(captured.raw)
  const link = /href="http:\/\/posthorn\.test(\/unsubscribe\/[\w-]+)"/.exec(html)![1]!
  return { html, ledger: (await call('GET', `/emails/${id}`)).body.html, page: (await app.request('GET', link)).body }
}

const words = {
  de: { footer: '>Abbestellen<', page: '<html lang="de">' },
  fr: { footer: '>Se désabonner<', page: '<html lang="fr">' },
  en: { footer: '>Unsubscribe<', page: '<html lang="en">' },
}

it.each([
  { data: {}, language: 'de' },
  { data: { locale: 'fr-CA' }, language: 'fr' },
  { data: { locale: 'en' }, language: 'en' },
  { data: { locale: 'xx' }, language: 'de' },
] as const)('a German project sends to a contact with $data in $language', async ({ data, language }) => {
  const { html, ledger, page } = await read(await send(data))
  expect(html).toContain(words[language].footer)
  expect(ledger).toContain(words[language].footer)
  expect(page).toContain(words[language].page)
})

it('a change of the language changes the preference page, but not sent emails', async () => {
  const sent = await send({})
  await read(sent)
  await speak('fr')
  const { ledger, page } = await read(sent)
  expect(ledger).toContain(words.de.footer)
  expect(page).toContain(words.fr.page)
  expect((await read(await send({}))).html).toContain(words.fr.footer)
})

it('a retry has the footer of the first attempt', async () => {
  const { id } = await send({})
  await app.drain()
  await app.pool.query("update emails set status = 'FAILED', sent_at = null, delivered_at = null where id = $1", [id])
  await speak('fr')
  expect((await call('POST', `/emails/${id}/resend`)).status).toBe(200)
  await app.drain()
  const messages = (await app.captured()).filter((message) => message.email_id === id)
  expect(messages).toHaveLength(2)
  expect(messages[1]!.raw.equals(messages[0]!.raw)).toBe(true)
})

it('an email that was claimed before languages were stored stays English', async () => {
  const { id } = await send({})
  await app.drain()
  await app.pool.query('update emails set language = null where id = $1', [id])
  expect((await call('GET', `/emails/${id}`)).body.html).toContain(words.en.footer)
})
