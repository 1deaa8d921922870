/**
 * Malformed requests to every route, derived from valid ones with a pseudo-random generator: the same seed gives the
 * same requests. None may cause a 5xx, hang or use up memory. `npm run soak` makes twenty times as many.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../app.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { seededRandom } from '../seeded-random.ts'
import { EXAMPLES, type Json } from './gate-examples.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5_000)
const SEED = Number(process.env.FUZZ_SEED ?? 24)
const GROWTH_MAX_BYTES = 2 ** 29
const WITHIN_MS = 60_000 + REQUESTS * 200

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let ids: string[]

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const key = project.secretKey
  const contact = await app.request('POST', '/contacts', { key, body: { email: 'c@example.org' } })
  const segment = await app.request('POST', '/segments', { key, body: { name: 'List', type: 'STATIC' } })
  ids = [project.id, project.owner.id, contact.body.id, segment.body.id]
})
afterAll(() => app.close())

function chance(seed: number) {
  const next = seededRandom(seed)
  return { next, pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]! }
}

const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'null',
    'true',
    '[]',
    '{}',
    '\u0000',
    '\ud83d',
    '\u202e',
    '\r\n',
    '../..',
    '%00',
    '%',
    "';--",
  ],
  ...[
    '{{x',
    '{% for i in (1..9) %}',
    '<script>',
    'a@b',
    '2026-13-45',
    '2026-02-30T25:00:00Z',
    'x'.repeat(3_000),
    '😀'.repeat(500),
  ],
]
const ODD_VALUES: Json[] = [
  ...ODD_TEXTS,
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53],
  ...[
    [],
    {},
    [[]],
    [null],
    { a: { b: [] } },
    { email: {} },
    { logic: 'OR', groups: [] },
    { value: 1, persistent: false },
  ],
]

/** A copy with something removed, replaced, added or nested. */
function malform(value: Json, { next, pick }: ReturnType<typeof chance>): Json {
  if (typeof value !== 'object' || value === null || next() < 0.15) return pick(ODD_VALUES)
  if (Array.isArray(value)) {
    if (value.length === 0 || next() < 0.2) return [...value, pick(ODD_VALUES)]
    const at = Math.floor(next() * value.length)
    return value.map((item, i) => (i === at ? malform(item, { next, pick }) : item))
  }
  const copy = { ...value }
  const key = pick(Object.keys(copy))
  const way = next()
  if (key === undefined || way < 0.1)
    copy[pick(['__proto__', 'constructor', 'id', 'projectId', 'x'])] = pick(ODD_VALUES)
  else if (way < 0.25) delete copy[key]
  else copy[key] = malform(copy[key]!, { next, pick })
  return copy
}

/** Routes that end the project or its credentials would leave nothing to test, and a stream never ends. */
const targets = routes.filter(
  ({ method, path, replies }) =>
    method !== 'DELETE' &&
    !/\/reset|regenerate-keys|logout|change-password|two-factor/.test(path) &&
    replies[200]?.contentType !== 'text/event-stream',
)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is still referenced. The memory of the process depends on when Node last collected garbage. */
function usedBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it(`${REQUESTS} malformed requests cause no 5xx, no hang and no growth`, { timeout: WITHIN_MS }, async () => {
  const random = chance(SEED)
  const { next, pick } = random
  const credentials = () =>
    pick<Record<string, string>>([
      {},
      { authorization: `Bearer ${project.secretKey}` },
      { authorization: `Bearer ${project.secretKey}` },
      { authorization: `Bearer ${project.publicKey}` },
      { cookie: project.owner.cookie, 'x-project-id': project.id },
      { authorization: `Bearer ${encodeURIComponent(pick(ODD_TEXTS).toWellFormed()).slice(0, 500)}` },
    ])
  const query = (names: string[]) =>
    names.length === 0 || next() < 0.5 ? '' : `?${pick(names)}=${encodeURIComponent(pick(ODD_TEXTS).toWellFormed())}`

  const failed: string[] = []
  const bytesBefore = usedBytes()
  for (let i = 0; i < REQUESTS; i++) {
    const route = pick(targets)
    const name = `${route.method} ${route.path}`
    const url =
      route.path.replaceAll(/\{\w+\}/g, () =>
        next() < 0.7 ? pick(ids) : encodeURIComponent(pick(ODD_TEXTS).toWellFormed()) || 'x',
      ) + query(route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : [])
    const body = route.body && JSON.stringify(malform(EXAMPLES[name] ?? {}, random))
    const payload = body !== undefined && next() < 0.05 ? body.slice(0, -1) : body
    const reply = await app.server.inject({
      method: route.method,
      url,
      headers: { ...credentials(), ...(payload !== undefined && { 'content-type': 'application/json' }) },
      ...(payload !== undefined && { payload }),
    })
    if (reply.statusCode >= 500 && reply.statusCode !== 503) {
      failed.push(`${reply.statusCode} ${route.method} ${url.slice(0, 200)} ${payload?.slice(0, 500)}`)
    }
  }
  expect(failed).toEqual([])
  expect(usedBytes() - bytesBefore).toBeLessThan(GROWTH_MAX_BYTES)
})
