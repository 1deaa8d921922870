/** What POST /v1/send accepts beside a message: tags, names in addresses, a text part, templates by name. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

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

const EMAIL = { to: 'a@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' }

async function send(fields: object): Promise<string> {
  const { status, body } = await call('POST', '/v1/send', { ...EMAIL, ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.emails[0].email
}

const problemsOf = async (fields: object) => {
  const { status, body } = await call('POST', '/v1/send', { ...EMAIL, ...fields })
  return { status, fields: body.error?.errors?.map(({ field }: { field: string }) => field) }
}

async function sent(fields: object) {
  const id = await send(fields)
  await app.drain()
  const email = (await call('GET', `/emails/${id}`)).body
  return { email, message: await PostalMime.parse((await call('GET', `/emails/${id}/raw`)).body) }
}

describe('tags', () => {
  it('are shown on emails, and find them', async () => {
    const tags = { category: 'receipt', 'order-id': '17:4' }
    const first = await send({ tags })
    const second = await send({ tags: { category: 'receipt' }, to: ['b@example.org', 'c@example.org'] })
    const plain = await send({})
    expect((await call('GET', `/emails/${first}`)).body.tags).toEqual(tags)
    expect((await call('GET', `/emails/${plain}`)).body.tags).toEqual({})

    const listed = async (query: string) => {
      const { body } = await call('GET', `/emails?${query}`)
      return { total: body.total, ids: body.data.map(({ id }: { id: string }) => id) }
    }
    expect(await listed('tag=order-id:17:4')).toEqual({ total: 1, ids: [first] })
    const receipts = await listed('tag=category:receipt')
    expect(receipts.total).toBe(3)
    expect(receipts.ids[2]).toBe(first)
    expect(receipts.ids).toContain(second)
    expect(await listed('tag=category:other')).toEqual({ total: 0, ids: [] })
    expect((await listed('tag=category:receipt&status=PENDING')).total).toBe(3)
    expect((await listed('tag=category:receipt&status=SENT')).total).toBe(0)
    expect((await listed('tag=category:receipt&search=b@example')).total).toBe(1)

    const page = (await call('GET', '/emails?tag=category:receipt&limit=2')).body
    expect(page.hasMore).toBe(true)
    expect((await listed(`tag=category:receipt&limit=2&cursor=${page.cursor}`)).ids).toEqual([first])
  })

  it('find no emails of another project', async () => {
    await send({ tags: { shared: 'x' } })
    const other = await createProject(app)
    const { body } = await app.request('GET', '/emails?tag=shared:x', { key: other.secretKey })
    expect(body.data).toEqual([])
  })

  it.each(['category', ':x', 'category:', 'a%20b:c', 'constructor:x', `a:${'x'.repeat(257)}`, 'a:b%0Ac'])(
    'GET /emails returns 422 for the malformed tag %s',
    async (tag) => {
      const { status, body } = await call('GET', `/emails?tag=${tag}`)
      expect(status).toBe(422)
      expect(body.error.errors[0].field).toBe('tag')
    },
  )

  it('POST /v1/send refuses tags that are invalid', async () => {
    expect(await problemsOf({ tags: { 'a b': 'x' } })).toEqual({ status: 422, fields: ['tags.a b'] })
    expect(await problemsOf({ tags: ['a'] })).toEqual({ status: 422, fields: ['tags'] })
    expect(await problemsOf({ tags: { a: 'x\ny' } })).toEqual({ status: 422, fields: ['tags.a'] })
  })

  it('are counted by value', async () => {
    const own = await createProject(app)
    for (const tags of [{ plan: 'pro' }, { plan: 'pro' }, { plan: 'free' }, { other: 'x' }, {}]) {
      await app.request('POST', '/v1/send', { key: own.secretKey, body: { ...EMAIL, tags } })
    }
    await app.drain()
    const { status, body } = await app.request('GET', '/analytics/breakdown?by=tag&tag=plan', { key: own.secretKey })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { id: null, name: 'pro', sent: 2 },
      { id: null, name: 'free', sent: 1 },
    ])
    expect((await app.request('GET', '/analytics/breakdown?by=tag', { key: own.secretKey })).status).toBe(422)
    expect((await app.request('GET', '/analytics/breakdown?by=tag&tag=a%20b', { key: own.secretKey })).status).toBe(422)
  })

  it('are deleted with the contact', async () => {
    const id = await send({ to: 'gone@example.org', tags: { category: 'gone' } })
    const { contactId } = (await call('GET', `/emails/${id}`)).body
    await call('DELETE', `/contacts/${contactId}`)
    await app.drain()
    expect((await call('GET', '/emails?tag=category:gone')).body.data).toEqual([])
    expect((await call('GET', `/emails/${id}`)).body.tags).toEqual({})
    const { rows } = await app.pool.query('select from email_tags where id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('an address', () => {
  it('can have a name wherever a string is accepted', async () => {
    const { email, message } = await sent({
      to: ['Ada Lovelace <Ada@example.org>'],
      from: '"Acme, Inc." <hello@example.com>',
      reply: 'Support <help@example.org>',
    })
    expect(email).toMatchObject({ to: 'ada@example.org', toName: 'Ada Lovelace', fromName: 'Acme, Inc.' })
    expect(email).toMatchObject({ replyTo: 'help@example.org', replyToName: 'Support' })
    expect(message.to).toEqual([{ name: 'Ada Lovelace', address: 'ada@example.org' }])
    expect(message.from).toEqual({ name: 'Acme, Inc.', address: 'hello@example.com' })
    expect(message.replyTo).toEqual([{ name: 'Support', address: 'help@example.org' }])
  })

  it('without a name gets the deprecated `name`', async () => {
    const { email } = await sent({ from: '<hello@example.com>', name: 'Old' })
    expect(email.fromName).toBe('Old')
    expect((await sent({ from: 'New <hello@example.com>', name: 'Old' })).email.fromName).toBe('New')
  })

  it.each(['Ada <ada>', 'Ada ada@example.org', 'A\r\nB <ada@example.org>', `${'x'.repeat(256)} <ada@example.org>`])(
    'is refused if it is %j',
    async (to) => {
      expect(await problemsOf({ to })).toEqual({ status: 422, fields: ['to'] })
      expect(await problemsOf({ from: to })).toEqual({ status: 422, fields: ['from'] })
      expect(await problemsOf({ reply: to })).toEqual({ status: 422, fields: ['reply'] })
    },
  )
})

describe('the text part', () => {
  it('is rendered without escaping', async () => {
    const { email, message } = await sent({ text: 'Hello {{name}}\n', data: { name: 'Ada & Bob' } })
    expect(message.text?.trim()).toBe('Hello Ada & Bob')
    expect(email.text.trim()).toBe('Hello Ada & Bob')
    expect(message.html).toContain('<p>Hello</p>')
  })

  it('is refused if its Liquid is broken', async () => {
    expect(await problemsOf({ text: '{{ name' })).toEqual({ status: 422, fields: ['text'] })
    expect(await problemsOf({ text: '' })).toEqual({ status: 422, fields: ['text'] })
  })

  it('is used with the body of its template, and not beside another body', async () => {
    const template = (
      await call('POST', '/templates', {
        name: 'With a text',
        subject: 'Hi',
        body: '<p>HTML</p>',
        text: 'Text for {{name}}',
        from: 'team@example.com',
        type: 'TRANSACTIONAL',
      })
    ).body
    expect(template.text).toBe('Text for {{name}}')
    const request = { to: 'a@example.org', template: template.id, data: { name: 'Ada' } }
    const textOf = async (fields: object) => {
      const { body } = await call('POST', '/v1/send', { ...request, ...fields })
      return (await call('GET', `/emails/${body.data.emails[0].email}`)).body.text.trim()
    }
    expect(await textOf({})).toBe('Text for Ada')
    expect(await textOf({ body: '<p>Other</p>' })).toBe('Other')
    expect(await textOf({ text: 'Own' })).toBe('Own')

    const changed = (await call('PATCH', `/templates/${template.id}`, { text: null })).body
    expect(changed).toMatchObject({ text: null, version: 2 })
    expect((await call('GET', `/templates/${template.id}/versions/1`)).body.text).toBe('Text for {{name}}')
    expect((await call('POST', `/templates/${template.id}/versions/1/restore`)).body.text).toBe('Text for {{name}}')
  })

  it('ends with the unsubscribe link in marketing email', async () => {
    const preview = async (text: string) =>
      (await call('POST', '/templates/preview', { subject: 'x', body: '<p>x</p>', text, type: 'MARKETING' })).body.text
    expect(await preview('News')).toMatch(/^News\n\n-- \nYou are receiving this[\s\S]*\nUnsubscribe: http/)
    expect(await preview('News {{unsubscribeUrl}}')).toMatch(/^News http\S+$/)
  })

  it('is sent to the recipients of a campaign that has one', async () => {
    await call('POST', '/contacts', { email: 'reader@example.org', subscribed: true, data: { name: 'Ada' } })
    const { body: campaign, status } = await call('POST', '/campaigns', {
      name: 'News',
      subject: 'News',
      body: '<p>HTML</p>',
      text: 'For {{name}}',
      from: 'news@example.com',
      type: 'MARKETING',
      audienceType: 'ALL',
    })
    expect(status, JSON.stringify(campaign)).toBe(201)
    await call('POST', `/campaigns/${(campaign.data ?? campaign).id}/send`, {})
    await app.drain()
    const { body } = await call('GET', '/emails?search=reader@example.org')
    expect((await call('GET', `/emails/${body.data[0].id}`)).body.text).toMatch(/^For Ada\n/)
  })
})

describe('a template by its name', () => {
  const template = (subject: string) => ({
    name: 'Receipt',
    subject,
    body: '<p>x</p>',
    from: 'team@example.com',
    type: 'TRANSACTIONAL',
  })

  it('is the last changed one of that name', async () => {
    const first = (await call('POST', '/templates', template('First'))).body
    app.clock.forward(1_000)
    await call('POST', '/templates', template('Second'))
    const subjectOf = async () => {
      const { body } = await call('POST', '/v1/send', { to: 'a@example.org', template: { name: 'Receipt' } })
      return (await call('GET', `/emails/${body.data.emails[0].email}`)).body
    }
    expect((await subjectOf()).subject).toBe('Second')
    app.clock.forward(1_000)
    await call('PATCH', `/templates/${first.id}`, { subject: 'First again' })
    expect(await subjectOf()).toMatchObject({ subject: 'First again', templateId: first.id })
  })

  it('is 404 if there is none, and 422 without a name', async () => {
    const { status, body } = await call('POST', '/v1/send', { to: 'a@example.org', template: { name: 'Nothing' } })
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'TEMPLATE_NOT_FOUND', message: 'There is no template named "Nothing".' })
    expect((await problemsOf({ template: { name: '' } })).status).toBe(422)
    expect((await problemsOf({ template: 'Receipt' })).status).toBe(422)
  })
})
