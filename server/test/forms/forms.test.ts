/** Forms: their API, their pages and their script. */
import { describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useForms } from './form-fixture.ts'

const { app, project, call, post, create, newAddress, openForm, submit, contactOf, confirmationsTo } = useForms()
const consentsOf = async (id: string) => (await call('GET', `/contacts/${id}/consents`)).body.data

describe('the forms API', () => {
  it('creates a form with the field email, changes what a request names, and deletes it', async () => {
    const form = await create({ fields: [{ key: 'firstName', label: 'First name' }] })
    expect(form).toMatchObject({
      fields: [
        { key: 'email', type: 'email', required: true },
        { key: 'firstName', type: 'text', required: false, options: [] },
      ],
      topics: [],
      chooseTopics: false,
      doubleOptIn: null,
      enabled: true,
      totals: { shown: 0, submitted: 0, confirmed: 0, spam: 0 },
      links: { page: `http://posthorn.test/f/${form.id}`, script: `http://posthorn.test/f/${form.id}/embed.js` },
    })
    const changed = await call('PATCH', `/forms/${form.id}`, { successMessage: 'See you soon!' })
    expect(changed.body).toEqual({ ...form, successMessage: 'See you soon!', updatedAt: expect.any(String) })
    expect((await call('GET', '/forms?limit=1')).body).toMatchObject({ data: [{ id: form.id }], hasMore: false })

    expect((await call('DELETE', `/forms/${form.id}`)).status).toBe(204)
    expect((await call('GET', `/forms/${form.id}`)).status).toBe(404)
    expect((await app().request('GET', `/f/${form.id}`)).status).toBe(404)
    const { data } = (await call('GET', `/projects/${project().id}/audit-log?limit=3`)).body
    expect(data.map(({ act }: { act: string }) => act)).toEqual(['form.deleted', 'form.changed', 'form.created'])
  })

  it.each([
    [{ fields: [{ key: 'email', label: 'Email', type: 'text' }] }, 'fields.0.type'],
    [{ fields: [{ key: 'plan', label: 'Plan', type: 'select' }] }, 'fields.0.options'],
    [{ fields: [{ key: 'plan', label: 'Plan', options: ['a'] }] }, 'fields.0.options'],
    [
      {
        fields: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
      },
      'fields.1.key',
    ],
    [{ fields: [{ key: 'unsubscribeUrl', label: 'A' }] }, 'fields.0.key'],
    [{ fields: [{ key: '_token', label: 'A' }] }, 'fields.0.key'],
    [{ topics: ['unknown'] }, 'topics.0'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    [{ eventName: 'email.opened' }, 'eventName'],
    [{ captcha: { provider: 'turnstile', siteKey: 'k' } }, 'captcha.secretKey'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (body, field) => {
    const { status, body: reply } = await call('POST', '/forms', { name: 'Newsletter', ...body })
    expect([status, reply.error.errors[0].field]).toEqual([422, field])
  })

  it('follows the double opt-in of the project unless the form sets its own', async () => {
    const strict = await createProject(app())
    const key = strict.secretKey
    await app().request('PATCH', `/users/@me/projects/${strict.id}`, { key, body: { doubleOptIn: { enabled: true } } })
    const states = []
    for (const doubleOptIn of [null, false]) {
      const form = (await app().request('POST', '/forms', { key, body: { name: 'A', doubleOptIn } })).body
      const email = newAddress()
      await submit(form.id, { email })
      const { data } = (await app().request('GET', `/contacts?search=${email}`, { key })).body
      states.push(data[0].subscribed)
    }
    expect(states).toEqual([false, true])
  })

  it('keeps a topic that a form uses from being deleted, and names the form', async () => {
    const topic = (await call('POST', '/topics', { key: 'kept', name: 'Kept' })).body
    const form = await create({ name: 'Footer', topics: ['kept'] })
    const refused = await call('DELETE', `/topics/${topic.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({
      message: expect.stringContaining('the form "Footer"'),
      details: { usedBy: [{ kind: 'form', id: form.id, name: 'Footer' }] },
    })
    await call('PATCH', `/forms/${form.id}`, { topics: [] })
    expect((await call('DELETE', `/topics/${topic.id}`)).status).toBe(204)
  })

  it("hides another project's form", async () => {
    const form = await create()
    const other = await createProject(app())
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/html'],
      ['GET', '/stats'],
      ['GET', '/spam'],
    ] as const) {
      const { status } = await app().request(method, `/forms/${form.id}${path}`, { key: other.secretKey, body })
      expect([method, path, status]).toEqual([method, path, 404])
    }
  })

  it('never returns the secret key of a CAPTCHA, and keeps it when a change leaves it out', async () => {
    const captcha = { provider: 'hcaptcha', siteKey: 'site', secretKey: 'a secret of hcaptcha' }
    const form = await create({ captcha })
    expect(form.captcha).toEqual({ provider: 'hcaptcha', siteKey: 'site', endpoint: null, hasSecretKey: true })
    const changed = await call('PATCH', `/forms/${form.id}`, { captcha: { provider: 'hcaptcha', siteKey: 'new' } })
    expect(changed.body.captcha).toMatchObject({ siteKey: 'new', hasSecretKey: true })
    // It isn't sent to another server.
    for (const server of [{ endpoint: 'https://elsewhere.example' }, { provider: 'turnstile' }]) {
      const { status, body } = await call('PATCH', `/forms/${form.id}`, {
        captcha: { provider: 'hcaptcha', siteKey: 'new', ...server },
      })
      expect([status, body.error.errors[0].field]).toEqual([422, 'captcha.secretKey'])
    }
  })
})

describe('the page of a form', () => {
  it("is in the project's language and brand, and works without scripts", async () => {
    const german = await createProject(app(), 'Äpfel & Birnen')
    await app().request('PATCH', `/users/@me/projects/${german.id}`, {
      key: german.secretKey,
      body: { language: 'de', brandColor: '#123456' },
    })
    const fields = [
      { key: 'plan', label: 'Tarif <b>', type: 'select', options: ['Klein', 'Groß'], required: true },
      { key: 'news', label: 'Neuigkeiten', type: 'checkbox' },
    ]
    const made = await app().request('POST', '/forms', { key: german.secretKey, body: { name: 'Intern', fields } })
    const { body, headers } = await app().request('GET', `/f/${made.body.id}`)
    expect(body).toContain('<html lang="de">')
    expect(body).toContain('Äpfel &amp; Birnen abonnieren')
    expect(body).toContain('Tarif &lt;b&gt;')
    expect(body).toContain('<option value="Groß">Groß</option>')
    expect(body).toContain('#123456')
    expect(body).not.toContain('<script')
    expect(body).not.toContain('Intern')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/)
  })

  it('shows what is wrong beside the fields, in the language of the project, and keeps what was entered', async () => {
    const form = await create({ fields: [{ key: 'age', label: 'Age', type: 'number' }] })
    const { _token } = await openForm(form.id)
    app().clock.forward(2_000)
    const { status, body, headers } = await post(form.id, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: new URLSearchParams({ _token: _token!, _website: '', email: 'nobody"', age: '7' }).toString(),
    })
    expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>/)
    expect(body).toContain('Enter an email address.')
    expect(body).toContain('value="nobody&quot;"')
    expect(body).toContain('value="7"')
    expect(body).toContain(`value="${_token}"`)
  })

  it.each(['00000000-0000-0000-0000-000000000000', 'x', "'"])('does not exist for the ID %s', async (id) => {
    const { status, body } = await app().request('GET', `/f/${encodeURIComponent(id)}`)
    expect(status).toBe(404)
    expect(body).toContain('This form is closed')
  })

  it('does not exist while the form or its project is disabled, and accepts nothing', async () => {
    const form = await create()
    const hidden = await openForm(form.id)
    await call('PATCH', `/forms/${form.id}`, { enabled: false })
    app().clock.forward(5_000)
    expect((await app().request('GET', `/f/${form.id}`)).status).toBe(404)
    expect((await app().request('GET', `/f/${form.id}/embed.js`)).status).toBe(404)
    const email = newAddress()
    const reply = await post(form.id, { body: { ...hidden, email } })
    expect([reply.status, reply.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    expect(await contactOf(email)).toBeUndefined()
  })

  it('can be previewed before it is saved', async () => {
    const { status, body } = await call('POST', '/forms/preview', {
      name: 'Draft',
      title: 'Join us',
      buttonText: 'Join',
    })
    expect(status).toBe(200)
    expect(body.html).toContain('<h1>Join us</h1>')
    expect(body.html).toContain('<button>Join</button>')
  })
})

it('the script of a form is small and needs no inline script or style', async () => {
  const fields = Array.from({ length: 19 }, (_, i) => ({ key: `question${i}`, label: `Question number ${i}` }))
  const form = await create({ title: '</script>', fields, consentText: 'A sentence about consent. '.repeat(5) })
  const { body, headers } = await app().request('GET', `/f/${form.id}/embed.js`)
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(Buffer.byteLength(body)).toBeLessThan(10_000)
  expect(body).not.toMatch(/innerHTML|eval|setAttribute\('style'/)
})

it('a submission is stored once for each address if many arrive together, by forms with and without double opt-in', async () => {
  await call('POST', '/topics', { key: 'monthly', name: 'Monthly' })
  const fields = [{ key: 'note', label: 'Note' }]
  const forms = [
    await create({ fields }),
    await create({ fields, doubleOptIn: true }),
    await create({ fields, eventName: 'signed-up-together', topics: ['monthly'] }),
  ]
  const full = newAddress()
  const data = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`part${i}`, 'x'.repeat(6_000)]))
  await call('POST', '/contacts', { email: full, data, subscribed: true })
  const people = Array.from({ length: 6 }, newAddress)
  const tokens = await Promise.all(forms.map(({ id }) => openForm(id)))
  app().clock.forward(2_000)
  const sent = [...people, full].flatMap((email) => forms.map((form, i) => ({ email, form, token: tokens[i]! })))
  const replies = await Promise.all(
    [...sent, ...sent].map(({ email, form, token }) => post(form.id, { body: { ...token, email, note: 'Hi' } })),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  const totals = await Promise.all(forms.map(async ({ id }) => (await call('GET', `/forms/${id}`)).body.totals))
  expect(totals.map(({ submitted }) => submitted)).toEqual([14, 14, 14])
  const { data: events } = (await call('GET', '/events?name=signed-up-together')).body
  expect(events).toHaveLength(14)
  for (const email of people) {
    const contact = await contactOf(email)
    expect(contact.data).toMatchObject({ note: 'Hi' })
    // Whichever form was first: the others either found the contact subscribed, or waiting for its confirmation.
    const asked = (await consentsOf(contact.id)).filter(({ kind }: { kind: string }) => kind.startsWith('confirm'))
    expect(asked).toHaveLength(contact.subscribed ? 0 : 1)
    expect(await confirmationsTo(contact.id)).toHaveLength(asked.length)
  }
  expect((await contactOf(full)).data).toEqual(data)
})
