/** The order of the contact list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

describe('GET /contacts with sort', () => {
  it.each([
    ['-createdAt', 'deabc'],
    ['createdAt', 'cbaed'],
    ['email', 'abcde'],
    ['-email', 'edcba'],
  ])('%s returns every contact once, page by page', async (sort, order) => {
    const own = await createProject(app)
    for (const name of 'cbaed') {
      await app.request('POST', '/contacts', { key: own.secretKey, body: { email: `${name}@example.org` } })
      app.clock.forward(1)
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await app.request('GET', `/contacts?limit=2&sort=${sort}&cursor=${cursor}`, {
        key: own.secretKey,
      })
      if (cursor === '') expect(body.total).toBe(5)
      seen.push(...body.data.map(({ email }: { email: string }) => email[0]))
      cursor = body.cursor
    }
    expect(seen.join('')).toBe(order)
  })

  it.each(['email', '-email'])('%s returns 400 for a cursor whose contact was deleted', async (sort) => {
    const { secretKey: key } = await createProject(app)
    const ids: string[] = []
    for (const name of 'abc') {
      ids.push((await app.request('POST', '/contacts', { key, body: { email: `${name}@example.org` } })).body.id)
    }
    const page = (cursor = '') => app.request('GET', `/contacts?limit=2&sort=${sort}&cursor=${cursor}`, { key })
    const { cursor } = (await page()).body
    await app.request('DELETE', `/contacts/${sort === 'email' ? ids[2] : ids[0]}`, { key })
    expect(await page(cursor)).toMatchObject({ status: 200, body: { data: [], hasMore: false } })
    await app.request('DELETE', `/contacts/${ids[1]}`, { key })
    expect(await page(cursor)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('cursor is invalid') } },
    })
  })

  it('returns the newest first for an unknown order, as lists did before they could be sorted', async () => {
    const { secretKey: key } = await createProject(app)
    for (const email of ['b@example.org', 'a@example.org']) {
      await app.request('POST', '/contacts', { key, body: { email } })
    }
    const { status, body } = await app.request('GET', '/contacts?sort=data', { key })
    expect([status, body.data.map(({ email }: { email: string }) => email)]).toEqual([
      200,
      ['a@example.org', 'b@example.org'],
    ])
  })
})
