/** Templates that React Email's own packages render: Liquid written as text in components survives React's escaping. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

/** Loaded by name: the types of React declare those of a browser, which tests of the dashboard have in another form. */
const load = (name: string) => import(name)
const { createElement: h } = await load('react')
const { render } = await load('@react-email/render')
const { Html } = await load('@react-email/html')
const { Preview } = await load('@react-email/preview')
const { Body } = await load('@react-email/body')
const { Text } = await load('@react-email/text')
const { Button } = await load('@react-email/button')

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  await app.pool.query(`update projects set tracking = 'DISABLED' where id = $1`, [project.id])
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const Welcome = ({ name }: { name: string }) =>
  h(
    Html,
    { lang: 'en' },
    h(Preview, null, 'Hello {{ name ?? "you" }}'),
    h(
      Body,
      null,
      h(Text, null, 'Hello ', name, '!'),
      h(Text, null, '{% if plan == "pro" and seats > 1 %}Welcome to the team.{% endif %}'),
      h(Text, null, '5 < 6 & "quoted" ', '{{ note }}'),
      h(Button, { href: 'https://example.com/?a=1&user={{ id | default: "none" }}' }, "Open {{ 'your account' }}"),
    ),
  )

async function sentHtml(to: string, body: string, data: object): Promise<string> {
  const sent = await call('POST', '/v1/send', {
    to,
    from: 'hello@example.com',
    subject: 'Welcome',
    body,
    data,
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  await app.drain()
  const { html } = (await call('GET', `/emails/${sent.body.data.emails[0].email}`)).body
  return html.replaceAll(/\s+/g, ' ') // `pretty` breaks lines
}

it.each([{ pretty: false }, { pretty: true }])(
  'a component rendered with %j is sent with its values',
  async (options) => {
    const body = await render(h(Welcome, { name: '{{ name ?? "you" }}' }), options)
    expect(body).toContain('{{ name ?? &quot;you&quot; }}')

    const pro = await sentHtml('ada@example.org', body, { name: 'Ada <3', plan: 'pro', seats: 2, note: '&quot;' })
    expect(pro).toContain('Ada &lt;3')
    expect(pro).toContain('Welcome to the team.')
    expect(pro).toContain('&amp;quot;')
    expect(pro).toContain('Open your account')
    expect(pro).toMatch(/5 &lt; 6 &amp; (&quot;|")quoted(&quot;|")/)
    expect(pro).not.toContain('{{')
    expect(pro).not.toContain('{%')

    const other = await sentHtml('bob@example.org', body, { note: '' })
    expect(other).toContain('you')
    expect(other).not.toContain('Welcome to the team.')
  },
)

it('the plain text that React Email renders is accepted as the text part', async () => {
  const template = h(Welcome, { name: '{{ name ?? "you" }}' })
  const created = await call('POST', '/templates', {
    name: 'Welcome',
    subject: 'Welcome',
    from: 'hello@example.com',
    type: 'TRANSACTIONAL',
    body: await render(template),
    text: await render(template, { plainText: true }),
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
})
