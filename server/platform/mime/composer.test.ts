/** Large messages are composed in a thread, with the same result. */
import { afterAll, expect, it } from 'vitest'
import { createComposer } from './composer.ts'
import { composeMessage, type Message } from './mime.ts'

const composer = createComposer()
afterAll(() => composer.close())

const message: Message = {
  messageId: '<1@example.com>',
  date: new Date('2026-01-02T03:04:05Z'),
  from: { email: 'hello@example.com', name: 'Zoë' },
  to: [{ email: 'ada@example.org' }],
  subject: 'Your report',
  html: '<p>Grüße</p>',
  text: 'Grüße',
  headers: { 'X-Order': '7' },
}
const attachment = (bytes: number) => ({
  filename: 'résumé.pdf',
  contentType: 'application/pdf',
  content: Buffer.alloc(bytes, 'report').toString('base64'),
  disposition: 'attachment' as const,
})

const large = { ...message, attachments: [attachment(1_000_000)] }

it.each([
  ['a short message', message],
  ['a message with a large attachment', { ...message, attachments: [attachment(3_000_000)] }],
  ['a message with megabytes of HTML', { ...message, html: '<p>Grüße an alle</p>\n'.repeat(100_000) }],
])('gives the same bytes for %s', async (_name, given) => {
  expect((await composer.compose('p1', given)).equals(composeMessage(given))).toBe(true)
})

it('rejects a large message with an invalid header, and composes the next one', async () => {
  await expect(composer.compose('p1', { ...large, headers: { 'Not valid': 'x' } })).rejects.toThrow(
    'Invalid header name',
  )
  expect((await composer.compose('p1', large)).length).toBeGreaterThan(1_000_000)
})

it('composes a large message of one project before most of those that another project has waiting', async () => {
  const done: string[] = []
  const compose = (project: string) => composer.compose(project, large).then(() => done.push(project))
  await Promise.all(['hog', 'hog', 'other'].map(compose)) // the threads have started
  done.length = 0
  const hog = Array.from({ length: 30 }, () => compose('hog'))
  await Promise.all([...hog, compose('other')])
  expect(done.indexOf('other')).toBeLessThan(15)
})
