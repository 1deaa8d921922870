import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { distanceBetween, findUnknownFields, ignoredFieldsHeader, prefersStrict } from './unknown-fields.ts'

const address = z.union([z.string(), z.object({ name: z.string(), email: z.string() })])
const node: z.ZodType = z.lazy(() => z.object({ type: z.string(), children: z.array(node).optional() }))
const schema = z
  .object({
    to: z.union([address, z.array(address)]),
    subject: z.string().optional(),
    body: z.string(),
    scheduledFor: z.string().nullish(),
    data: z.record(z.string(), z.unknown()).default({}),
    attachments: z.array(z.object({ filename: z.string(), content: z.string() })).optional(),
    step: z.discriminatedUnion('type', [
      z.object({ type: z.literal('a'), days: z.number() }),
      z.object({ type: z.literal('b'), hours: z.number() }),
    ]),
    outline: node,
  })
  .refine(() => true)

const reply = z.object({ id: z.string(), tags: z.array(z.string()), body: z.string(), subjects: z.number() })
const find = (body: unknown, isStrict = false) => findUnknownFields({ schema, isStrict }, body)
const refused = (body: unknown) => find(body).refused.map(({ field, message }) => [field, message])

describe('a field that a request has and its schema has not', () => {
  it.each([
    ['subjct', 'Did you mean subject?'],
    ['Subject', 'Did you mean subject?'],
    ['SUBJECT', 'Did you mean subject?'],
    ['sujbect', 'Did you mean subject?'],
    ['scheduledfor', 'Did you mean scheduledFor?'],
    ['scheduleFor', 'Did you mean scheduledFor?'],
    ['scheduledAt', 'Did you mean scheduledFor?'],
    ['html', 'Did you mean body?'],
    ['ScheduledAt', 'Did you mean scheduledFor?'],
    ['scheduled_for', 'Did you mean scheduledFor?'],
    ['HtmlBody', 'Did you mean body?'],
    ['Reply-To', 'Remove it.'],
    ['cc', 'Remove it.'],
    ['tags', 'Remove it.'],
    ['datas', 'Did you mean data?'],
    ['boddyy', 'Did you mean body?'],
    ['ot', 'Did you mean to?'],
    ['react', 'Did you mean body?'],
    ['dynamic_template_data', 'Did you mean data?'],
    ['TemplateModel', 'Did you mean data?'],
    ['metadata', 'Did you mean data?'],
    ['personalizations', 'Did you mean to?'],
  ])('%s is refused: %s', (key, advice) => {
    expect(refused({ [key]: 'x' })).toEqual([[key, `Unknown field. ${advice}`]])
  })

  it.each(['type', 'id', 'node', 'bond', 'metaInformation', 'createdAt', '__proto__x', 'constructor', 'toString', 'x'])(
    '%s is ignored and named',
    (key) => {
      expect(find({ [key]: 'x' })).toEqual({ refused: [], ignored: [key] })
      expect(find({ [key]: 'x' }, true).refused).toMatchObject([{ field: key, code: 'unknown_field' }])
    },
  )

  it('is found in objects and lists that the schema describes, and never in free ones', () => {
    expect(find({ attachments: [{ filename: 'a', content: 'b' }, { fileName: 'a' }] }).refused[0]!.field).toBe(
      'attachments.1.fileName',
    )
    expect(find({ to: [{ email: 'a', emial: 'b' }] }).refused[0]!.field).toBe('to.0.emial')
    expect(find({ to: { email: 'a', phone: 'b' } }).ignored).toEqual(['to.phone'])
    expect(find({ step: { type: 'a', days: 1, unit: 'x' } }).ignored).toEqual(['step.unit'])
    expect(find({ outline: { type: 'x', children: [{ type: 'y', chidlren: [] }] } }).refused[0]!.field).toBe(
      'outline.children.0.chidlren',
    )
    expect(find({ data: { subjct: 1, nested: { cc: 1 } } })).toEqual({ refused: [], ignored: [] })
  })

  it('is ignored if the response has it, because clients send back what they have read', () => {
    const read = { id: 'x', tags: [], subjects: 1 }
    expect(findUnknownFields({ schema, reply, isStrict: false }, read).refused).toEqual([])
    expect(findUnknownFields({ schema, isStrict: false }, read).refused.length).toBe(2)
  })

  it('is looked for in a limited number and length, whatever is sent', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`far away ${i} ${'x'.repeat(1_000)}`, 1]))
    const { ignored } = find({ outline: many, ...many })
    expect(ignored.length).toBeLessThanOrEqual(20)
    expect(Math.max(...ignored.map((name) => name.length))).toBeLessThanOrEqual(80)
    for (const body of [null, undefined, 1, 'x', [], [1]]) expect(find(body)).toEqual({ refused: [], ignored: [] })
  })
})

it('the header with ignored fields has only characters that a header may have', () => {
  expect(ignoredFieldsHeader(['type', 'a b', 'ä,\r\nx', 'to.0.x'])).toBe('type, a%20b, %C3%A4%2C%0D%0Ax, to.0.x')
})

it.each([
  ['handling=strict', true],
  ['respond-async, handling=strict', true],
  ['Handling="strict"', true],
  ['handling=lenient', false],
  ['return=minimal', false],
  [undefined, false],
])('the preference %s is strict: %s', (prefer, strict) => {
  expect(prefersStrict(prefer)).toBe(strict)
})

it.each([
  ['to', 'to', 0],
  ['form', 'from', 1],
  ['subjct', 'subject', 1],
  ['kitten', 'sitting', 3],
  ['', 'ab', 2],
])('the distance between %s and %s is %i', (a, b, distance) => {
  expect(distanceBetween(a, b)).toBe(distance)
})
