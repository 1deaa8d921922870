/** The brand of a project, layouts and saved blocks: where they appear, and that a change reaches every email. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recompile } from '../../features/content/documents/actions.ts'
import type { EmailDocument } from '../../kernel/content/email-document.ts'
import { newId } from '../../kernel/ids.ts'
import { createMjmlCompiler } from '../../platform/mjml/mjml-compiler.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app, 'Acme')
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const text = (id: string, words: string) => ({
  id,
  type: 'text',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const documentWith = (layoutId?: string) => ({
  version: 1,
  ...(layoutId ? { layoutId } : {}),
  blocks: [text('a', 'The middle')],
})

const template = async (document: object) =>
  (await call('POST', '/templates', { name: 'One', subject: 's', from: 'hello@example.com', document })).body
const campaign = async (document: object) =>
  (
    await call('POST', '/campaigns', {
      name: 'One',
      subject: 's',
      from: 'hello@example.com',
      audienceType: 'ALL',
      document,
    })
  ).body
const layout = async (fields: object = {}) =>
  (
    await call('POST', '/layouts', {
      name: 'Standard',
      header: [text('h', 'The header')],
      footer: [text('f', 'The footer')],
      ...fields,
    })
  ).body

describe('the brand of a project', () => {
  const brand = {
    brandColor: '#0f766e',
    emailStyle: {
      font: 'serif',
      background: '#fafaf9',
      contentBackground: '#fffffe',
      textColor: '#292524',
      linkColor: '#0f766e',
    },
    socialLinks: [{ network: 'github', url: 'https://github.com/acme' }],
  }
  const document = {
    version: 1,
    blocks: [
      { id: 'b', type: 'button', label: 'Open', url: 'https://example.com' },
      { id: 's', type: 'social' },
    ],
  }

  it('is used by blocks, and a change recompiles templates and drafts without changing when they were last edited', async () => {
    const [one, draft] = [await template(document), await campaign(document)]
    const html = (
      await call('POST', '/templates', { name: 'H', subject: 's', from: 'hello@example.com', body: '<p>x</p>' })
    ).body
    const { status, body } = await call('PATCH', `/users/@me/projects/${project.id}`, brand)
    expect(status).toBe(200)
    expect(body).toMatchObject(brand)
    await app.drain()
    const after = (await call('GET', `/templates/${one.id}`)).body
    for (const part of ['#0f766e', 'Georgia', '#fafaf9', '#fffffe', 'https://github.com/acme']) {
      expect(one.body).not.toContain(part)
      expect(after.body).toContain(part)
    }
    expect(after.updatedAt).toBe(one.updatedAt)
    expect((await call('GET', `/campaigns/${draft.id}`)).body.body).toContain('#0f766e')
    expect((await call('GET', `/templates/${html.id}`)).body.body).toBe('<p>x</p>')
  })

  it('keeps what a document sets itself', async () => {
    const own = await template({ ...document, settings: { font: 'mono' } })
    expect(own.body).toContain('Menlo')
    expect(own.body).not.toContain('Georgia')
  })

  it('can be cleared, and refuses invalid values', async () => {
    const cleared = await call('PATCH', `/users/@me/projects/${project.id}`, {
      emailStyle: null,
      socialLinks: null,
      brandColor: null,
    })
    expect(cleared.body).toMatchObject({ emailStyle: null, socialLinks: null, brandColor: null })
    for (const wrong of [
      { emailStyle: { font: 'Comic Sans' } },
      { socialLinks: [{ network: 'x', url: 'javascript:x' }] },
    ]) {
      expect((await call('PATCH', `/users/@me/projects/${project.id}`, wrong)).status).toBe(422)
    }
  })
})

describe('a layout', () => {
  it('surrounds the blocks of templates and campaigns, and a change is applied to them', async () => {
    const { id } = await layout()
    const [one, draft] = [await template(documentWith(id)), await campaign(documentWith(id))]
    for (const { body } of [one, draft]) expect(body).toMatch(/The header[\s\S]*The middle[\s\S]*The footer/)
    expect((await call('GET', '/layouts')).body).toContainEqual(
      expect.objectContaining({ id, name: 'Standard', emails: 2 }),
    )
    expect((await call('PATCH', `/layouts/${id}`, { header: [text('h', 'The new header')] })).status).toBe(200)
    await app.drain()
    for (const path of [`/templates/${one.id}`, `/campaigns/${draft.id}`]) {
      const { body, version } = (await call('GET', path)).body
      expect(body).toMatch(/The new header[\s\S]*The middle[\s\S]*The footer/)
      expect((await call('GET', `${path}/versions/${version}`)).body.body).toBe(body)
    }
  })

  it('is applied to a template immediately after the template was saved, if the layout changed meanwhile', async () => {
    const { id } = await layout()
    const one = await template(documentWith(id))
    await app.drain()
    app.clock.forward(1_000)
    const client = await app.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from layouts where id = $1 for update', [id])
      const document = { ...documentWith(id), blocks: [text('a', 'The new middle')] }
      const saving = call('PATCH', `/templates/${one.id}`, { document })
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await Promise.race([
        expect.poll(async () => (await app.pool.query(waiting)).rowCount).toBe(1), // the view is fixed within a transaction
        saving.then(({ status }) =>
          Promise.reject(new Error(`The response is ${status}, without waiting for the lock.`)),
        ),
      ])
      const header = JSON.stringify([text('h', 'The new header')])
      await client.query('update layouts set header = $1, updated_at = $2 where id = $3', [header, app.clock.now(), id])
      await client.query('commit')
      expect((await saving).body.body).toMatch(/The header[\s\S]*The new middle/)
    } finally {
      client.release()
    }
    await app.drain()
    expect((await call('GET', `/templates/${one.id}`)).body.body).toMatch(/The new header[\s\S]*The new middle/)
  })

  it('is the current one in a restored version and in a copy, and is omitted if it was deleted', async () => {
    const { id } = await layout({ name: 'Changed' })
    const paths = [
      `/templates/${(await template(documentWith(id))).id}`,
      `/campaigns/${(await campaign(documentWith(id))).id}`,
    ]
    const write = async (path: string, document: object) => {
      const { body } = await call('GET', path)
      const changes = path.startsWith('/templates') ? {} : { ...body, body: undefined, audienceCondition: undefined }
      const saved = await call(path.startsWith('/templates') ? 'PATCH' : 'PUT', path, {
        ...changes,
        document,
        mjml: undefined,
      })
      expect(saved.status).toBe(200)
    }
    for (const path of paths) await write(path, documentWith())
    await call('PATCH', `/layouts/${id}`, { header: [text('h', 'The new header')] })
    await app.drain()
    for (const path of paths) {
      expect((await call('POST', `${path}/versions/1/restore`)).body.body).toContain('The new header')
    }
    for (const path of paths) {
      await app.pool.query(`update ${path.split('/')[1]} set body = 'old' where id = $1`, [path.split('/')[2]])
      expect((await call('POST', `${path}/duplicate`)).body.body).toContain('The new header')
    }
    await app.pool.query('delete from layouts where id = $1', [id])
    for (const path of paths) {
      const { body: restored } = await call('POST', `${path}/versions/1/restore`)
      expect(restored.document).toEqual(documentWith())
      expect(restored.body).not.toContain('header')
    }
  })

  it('can be read, renamed and deleted, but not while an email uses it', async () => {
    const { id } = await layout({ name: 'Other' })
    const one = await template(documentWith(id))
    expect((await call('PATCH', `/layouts/${id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      header: [{ id: 'h' }],
    })
    const refused = await call('DELETE', `/layouts/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toBe('The layout is used by 1 email. Choose another layout for it first.')
    await call('PATCH', `/templates/${one.id}`, { document: documentWith() })
    expect((await call('DELETE', `/layouts/${id}`)).status).toBe(204)
    expect((await call('GET', `/layouts/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/layouts/${id}`)).status).toBe(404)
  })

  /** Runs a request that has to wait for the transaction of another one. */
  const during = async (
    work: (query: (sql: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>,
    request: () => Promise<{ status: number }>,
  ) => {
    const client = await app.pool.connect()
    await client.query('begin')
    await work((sql, values) => client.query(sql, values))
    const reply = request()
    for (let waits = false; !waits; ) {
      const { rows } = await app.pool.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%layouts%'`)
      waits = rows.length > 0
    }
    await client.query('commit')
    client.release()
    return (await reply).status
  }

  it('is not deleted if an email that was just being saved uses it', async () => {
    const { id } = await layout({ name: 'Used' })
    const one = await template(documentWith())
    const status = await during(
      async (query) => {
        await query('select from layouts where id = $1 for key share', [id])
        await query('update templates set document = $2 where id = $1', [one.id, JSON.stringify(documentWith(id))])
      },
      () => call('DELETE', `/layouts/${id}`),
    )
    expect(status).toBe(409)
  })

  it.each([
    ['template', '/templates', {}],
    ['campaign', '/campaigns', { audienceType: 'ALL' }],
  ])('is refused for a %s that is being saved while the layout is deleted', async (_case, path, more) => {
    const { id } = await layout({ name: 'Deleted' })
    const email = { name: 'One', subject: 's', from: 'hello@example.com', document: documentWith(id), ...more }
    const status = await during(
      (query) => query('delete from layouts where id = $1', [id]),
      () => call('POST', path, email),
    )
    expect(status).toBe(422)
  })

  it('is applied to an email that was compiled before the change and saved after it', async () => {
    const { id } = await layout({ name: 'Late' })
    const one = await template(documentWith(id))
    await call('PATCH', `/layouts/${id}`, { header: [text('h', 'The new header')] })
    await app.drain()
    await app.pool.query('update templates set body = $2 where id = $1', [one.id, one.body])
    app.clock.forward(2 * 60_000)
    await app.drain()
    expect((await call('GET', `/templates/${one.id}`)).body.body).toContain('The new header')
  })

  it('is refused if it is of another project, or does not exist', async () => {
    const other = await createProject(app, 'Other')
    const { body: foreign } = await call('POST', '/layouts', { name: 'Foreign' }, other.secretKey)
    for (const id of [foreign.id, newId(new Date())]) {
      const { status, body } = await call('POST', '/templates', {
        name: 'One',
        subject: 's',
        from: 'hello@example.com',
        document: documentWith(id),
      })
      expect(status).toBe(422)
      expect(body.error.errors[0].field).toBe('document.layoutId')
    }
  })

  it('refuses scripts, repeated IDs and an empty name', async () => {
    const html = { id: 'x', type: 'html', code: '<script>1</script>' }
    for (const [fields, field] of [
      [{ header: [html] }, 'header.0.code'],
      [{ footer: [html] }, 'footer.0.code'],
      [{ header: [text('a', 'x'), text('a', 'y')] }, 'header'],
      [{ name: ' ' }, 'name'],
    ] as const) {
      const { status, body } = await call('POST', '/layouts', { name: 'Wrong', ...fields })
      expect(status).toBe(422)
      expect(body.error.errors[0].field).toBe(field)
    }
  })

  it('leaves the HTML of an email as it was if it makes the email impossible to compile', async () => {
    const { id } = await layout({ name: 'Broken' })
    const one = await template(documentWith(id))
    await app.pool.query(`update layouts set header = $2 where id = $1`, [
      id,
      JSON.stringify([{ id: 'x', type: 'html', code: '{% if %}' }]),
    ])
    await call('PATCH', `/layouts/${id}`, { footer: [] })
    await app.drain()
    expect((await call('GET', `/templates/${one.id}`)).body.body).toBe(one.body)
  })
})

it('recompiling fails if an email could not be compiled in time, so that the job is retried', async () => {
  const mjml = createMjmlCompiler({ deadlineMs: 0 })
  const blocks = Array.from({ length: 200 }, (_, i) => text(`b${i}`, 'A text that takes its time'))
  const email = { id: newId(new Date()), document: { version: 1, blocks } as EmailDocument }
  const saved: string[] = []
  const emails = (known: (typeof email)[]) => ({
    next: async (after: string | undefined) => (after ? [] : known),
    save: async ({ id }: { id: string }) => void saved.push(id),
  })
  await expect(recompile({ ...app.ctx, mjml }, project.id, emails([email, email]))).rejects.toMatchObject({
    extras: { problems: [{ field: 'document', code: 'timeout' }] },
  })
  await mjml.close()
  await recompile(app.ctx, project.id, emails([email]))
  expect(saved).toEqual([email.id])
})

describe('saved blocks', () => {
  it('can be saved, listed without their contents, changed and deleted', async () => {
    const { body: saved, status } = await call('POST', '/saved-blocks', {
      name: 'Signature',
      blocks: [text('s', 'Yours')],
    })
    expect(status).toBe(201)
    const { body: list } = await call('GET', '/saved-blocks')
    expect(list).toEqual([{ id: saved.id, name: 'Signature', createdAt: saved.createdAt, updatedAt: saved.updatedAt }])
    const changed = await call('PATCH', `/saved-blocks/${saved.id}`, { blocks: [text('s', 'Sincerely')] })
    expect(changed.body).toMatchObject({ name: 'Signature', blocks: [text('s', 'Sincerely')] })
    expect((await call('GET', `/saved-blocks/${saved.id}`)).body).toEqual(changed.body)
    expect((await call('DELETE', `/saved-blocks/${saved.id}`)).status).toBe(204)
    expect((await call('GET', `/saved-blocks/${saved.id}`)).status).toBe(404)
  })

  it('must contain at least one block and no scripts', async () => {
    for (const blocks of [[], [{ id: 'x', type: 'html', code: '<img src=x onerror=alert(1)>' }]]) {
      expect((await call('POST', '/saved-blocks', { name: 'Wrong', blocks })).status).toBe(422)
    }
  })
})
