/** Unknown fields in the body of every route: no valid example has one, and misspelled fields are refused before anything changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { findUnknownFields } from '../../platform/http/unknown-fields.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { EXAMPLES } from './gate-examples.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const withBody = routes.filter(({ body, upload, raw, form }) => body && !upload && !raw && !form)
/** The messages in these lists are checked by the handler; server/test/compat/resend-postmark.test.ts has a case. */
const CHECKED_ONE_BY_ONE = ['POST /compat/resend/emails/batch', 'POST /compat/postmark/email/batch']
const asObject = (example: unknown) => (Array.isArray(example) ? example[0] : example) as Record<string, unknown>

describe.each(withBody.map((route) => ({ name: nameOf(route), schema: route.body! })))('the body of $name', (route) => {
  const example = EXAMPLES[route.name]!

  it('has a valid example without unknown fields', () => {
    expect(findUnknownFields({ schema: route.schema, isStrict: true }, example)).toEqual({ refused: [], ignored: [] })
  })

  it('is refused if a field is misspelled', () => {
    if (CHECKED_ONE_BY_ONE.includes(route.name)) return
    for (const key of Object.keys(asObject(example) ?? {}).filter((key) => key.length > 2)) {
      const misspelled = { ...asObject(example), [`${key}x`]: 1 }
      const body = Array.isArray(example) ? [misspelled] : misspelled
      expect(findUnknownFields({ schema: route.schema, isStrict: false }, body).refused, key).toMatchObject([
        { code: 'unknown_field' },
      ])
    }
  })
})

describe('a request with unknown fields', () => {
  let app: TestApp
  let project: Awaited<ReturnType<typeof createProject>>
  beforeAll(async () => {
    app = await openTestApp()
    project = await createProject(app)
  })
  afterAll(() => app.close())

  const send = (extra: object, headers: Record<string, string> = {}) =>
    app.request('POST', '/v1/send', {
      key: project.secretKey,
      headers,
      body: { to: 'a@example.org', from: 'hello@example.com', subject: 'Hi', body: 'x', ...extra },
    })
  const countEmails = async () => (await app.request('GET', '/emails', { key: project.secretKey })).body.total as number

  it('is accepted if they are no likely mistakes, and names them', async () => {
    const { status, headers } = await send({ type: 'x', 'für dich': 1 })
    expect(status).toBe(200)
    expect(headers['posthorn-ignored-fields']).toBe('type, f%C3%BCr%20dich')
    expect((await send({})).headers).not.toHaveProperty('posthorn-ignored-fields')
  })

  it('is refused otherwise, with what was probably meant, and changes nothing', async () => {
    const before = await countEmails()
    const { status, body } = await send({ html: 'x', subjct: 'y' })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual([
      { field: 'html', message: 'Unknown field. Did you mean body?', code: 'unknown_field' },
      { field: 'subjct', message: 'Unknown field. Did you mean subject?', code: 'unknown_field' },
    ])
    expect(await countEmails()).toBe(before)
  })

  it('is refused with every unknown field if it prefers strict handling', async () => {
    const { status, body, headers } = await send({ type: 'x' }, { prefer: 'handling=strict' })
    expect(status).toBe(422)
    expect(body.error.errors).toMatchObject([{ field: 'type', code: 'unknown_field' }])
    expect(headers['preference-applied']).toBe('handling=strict')
  })

  it('lists problems of known fields too', async () => {
    const { body } = await send({ subject: undefined, body: undefined, template: undefined, html: 'x' })
    expect(body.error.errors.map(({ code }: { code: string }) => code)).toContain('unknown_field')
    expect(body.error.errors.length).toBeGreaterThan(1)
  })

  it('may be sent from a website with the public key', async () => {
    const { headers } = await app.request('OPTIONS', '/v1/track')
    expect(headers['access-control-allow-headers']).toContain('Prefer')
  })
})
