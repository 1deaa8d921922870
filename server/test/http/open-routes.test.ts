/** What anyone can send to routes that need no key and no session, for every such route of the list. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { openTestApp, type TestApp } from '../harness.ts'

const LIMIT = 10
const KB = 1024
/** Other services send them, with a signature. */
const LONGER: Record<string, number> = { '/webhooks/sns': 256 * KB, '/webhooks/incoming/stripe': 1024 * KB }

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })
})
afterAll(() => app.close())
beforeEach(() => app.clock.forward(60_000))

const open = routes.filter(({ access, method }) => access === 'open' && method !== 'GET')
const nameOf = (route: (typeof open)[number]) => `${route.method} ${route.path}`
const byName = open.map((route) => [nameOf(route), route] as const)

const post = (path: string, text: string) =>
  app.server.inject({
    method: 'POST',
    url: path.replace(/\{\w+\}/, 'x'),
    payload: text,
    headers: { 'content-type': 'application/json' },
  })

describe('an open route', () => {
  it.each(byName)('accepts a small body only: %s', async (_name, { path }) => {
    const bytes = LONGER[path] ?? 64 * KB
    const { statusCode, body } = await post(path, ' '.repeat(bytes + 1))
    expect(statusCode).toBe(413)
    const limit = bytes >= KB * KB ? `${bytes / KB / KB} MB` : `${bytes / KB} KB`
    expect(JSON.parse(body).error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: `The request body exceeds the maximum size for this endpoint, which is ${limit}.`,
    })
    expect((await post(path, ' '.repeat(bytes))).statusCode).not.toBe(413)
  })

  it.each(byName.filter(([, { form, raw }]) => !form && !raw))(
    'counts requests by network before it parses them: %s',
    async (_name, { path }) => {
      for (let i = 0; i < LIMIT; i++) expect([400, 422]).toContain((await post(path, i % 2 ? '{' : '[]')).statusCode)
      for (const text of ['{', '[]', ' '.repeat(65 * KB)]) {
        const { statusCode, headers } = await post(path, text)
        expect([statusCode, headers['retry-after']]).toEqual([429, '60'])
      }
    },
  )

  it('is not limited by network if mail providers or other services call it', async () => {
    const unlimited = open.filter(({ form, raw }) => form || raw)
    expect(unlimited.map(nameOf)).toEqual(expect.arrayContaining(['POST /unsubscribe/{token}', 'POST /webhooks/sns']))
    for (const { path } of unlimited) {
      for (let i = 0; i <= LIMIT; i++) expect((await post(path, '')).statusCode, path).not.toBe(429)
    }
  })
})

it('an unknown route parses no body', async () => {
  expect((await post('/nowhere', '{')).statusCode).toBe(404)
  expect((await post('/nowhere', ' '.repeat(6 * KB * KB))).statusCode).toBe(404)
})
