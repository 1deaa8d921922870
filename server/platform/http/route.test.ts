import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emailAddress } from '../../kernel/email-address.ts'
import { type FieldProblem, Refusal } from '../../kernel/errors.ts'
import { idOf, validate, validateParams } from './route.ts'

function problemsOf(schema: z.ZodType, value: unknown): FieldProblem[] {
  try {
    validate(schema, value)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION_ERROR') return error.extras.problems!
    throw error
  }
  throw new Error('It was accepted.')
}

const person = z.object({ name: z.string().optional(), email: emailAddress })
const recipients = z.union([z.union([emailAddress, person]), z.array(z.union([emailAddress, person])).min(1)])

describe('the code of a validation problem', () => {
  it.each([
    ['a missing field', z.object({ a: z.string() }), {}, 'a', 'invalid_type'],
    ['a missing enum', z.object({ a: z.enum(['x']) }), {}, 'a', 'invalid_type'],
    ['a missing union', z.object({ a: z.union([z.string(), z.number()]) }), {}, 'a', 'invalid_type'],
    ['a wrong type', z.object({ a: z.number() }), { a: '5' }, 'a', 'invalid_type'],
    ['null', z.object({ a: z.string() }), { a: null }, 'a', 'invalid_type'],
    ['no object at all', z.object({ a: z.string() }), 'text', '', 'invalid_type'],
    ['no body at all', z.object({ a: z.string() }), undefined, '', 'invalid_type'],
    ['too short', z.object({ a: z.string().min(2) }), { a: 'x' }, 'a', 'too_small'],
    ['too long', z.object({ a: z.string().max(2) }), { a: 'xyz' }, 'a', 'too_big'],
    ['too few', z.object({ a: z.array(z.string()).min(1) }), { a: [] }, 'a', 'too_small'],
    ['too many', z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }, 'a', 'too_big'],
    ['too large', z.object({ a: z.number().max(1) }), { a: 2 }, 'a', 'too_big'],
    ['a bad uuid', z.object({ a: z.uuid() }), { a: 'x' }, 'a', 'invalid_string'],
    ['a bad url', z.object({ a: z.url() }), { a: 'x' }, 'a', 'invalid_string'],
    ['a bad date', z.object({ a: z.iso.datetime() }), { a: 'x' }, 'a', 'invalid_string'],
    ['a bad pattern', z.object({ a: z.string().regex(/^y$/) }), { a: 'x' }, 'a', 'invalid_string'],
    ['a bad email', z.object({ a: emailAddress }), { a: 'x' }, 'a', 'invalid_string'],
    ['an unknown choice', z.object({ a: z.enum(['x']) }), { a: 'y' }, 'a', 'invalid_enum_value'],
    ['a choice of another type', z.object({ a: z.enum(['x']) }), { a: 5 }, 'a', 'invalid_type'],
    ['a choice that is null', z.object({ a: z.enum(['x']) }), { a: null }, 'a', 'invalid_type'],
    ['an unknown literal', z.object({ a: z.literal('x') }), { a: 'y' }, 'a', 'invalid_enum_value'],
    ['a rule of our own', z.object({ a: z.string().refine(() => false) }), { a: 'y' }, 'a', 'custom'],
    [
      'a rule with a code',
      z.object({ a: z.string().refine(() => false, { params: { code: 'reserved_event' } }) }),
      { a: 'y' },
      'a',
      'reserved_event',
    ],
    [
      'deep inside',
      z.object({ a: z.array(z.object({ b: z.string() })) }),
      { a: [{ b: 'x' }, { b: 1 }] },
      'a.1.b',
      'invalid_type',
    ],
  ])('for %s', (_what, schema, value, field, code) => {
    const [problem, ...more] = problemsOf(schema, value)
    expect(more).toEqual([])
    expect(problem).toMatchObject({ field, code, message: expect.stringMatching(/./) })
  })

  it.each([
    ['nope', '', 'invalid_string'],
    [{ email: 'nope' }, 'email', 'invalid_string'],
    [{ name: 5, email: 'a@example.org' }, 'name', 'invalid_type'],
    [{}, 'email', 'invalid_type'],
    [['a@example.org', 'nope'], '1', 'invalid_string'],
    [['a@example.org', { email: 'nope' }], '1.email', 'invalid_string'],
    [['a@example.org', 5], '1', 'invalid_type'],
    [[], '', 'too_small'],
    [5, '', 'invalid_type'],
    [null, '', 'invalid_type'],
  ])('is that of the closest of several shapes: %j', (value, field, code) => {
    expect(problemsOf(recipients, value)).toMatchObject([{ field, code }])
  })

  it('is returned for every problem', () => {
    const schema = z.object({ a: z.string(), b: z.number(), c: z.boolean() })
    expect(problemsOf(schema, {}).map((problem) => problem.field)).toEqual(['a', 'b', 'c'])
  })
})

describe('the received value of a validation problem', () => {
  it.each([
    ['a type where the type is wrong', z.string(), 5, 'number'],
    ['null by its name', z.string(), null, 'null'],
    ['a list by its name', z.string(), [], 'array'],
    ['a short text', z.string().min(5), 'abc', 'abc'],
    ['a number', z.number().max(1), 2, 2],
  ])('is included: %s', (_what, schema, value, received) => {
    expect(problemsOf(schema, value)[0]!.received).toBe(received)
  })

  it('is what was sent, even if the schema checks a normalized form of it', () => {
    const schema = z.object({ to: z.array(z.string().trim().toLowerCase().pipe(z.email())) })
    expect(problemsOf(schema, { to: ['a@example.org', ' Ada@Nowhere '] })[0]).toMatchObject({
      field: 'to.1',
      received: ' Ada@Nowhere ',
    })
  })

  it('is not included if it is long', () => {
    expect(problemsOf(z.string().max(5), 'x'.repeat(1000))[0]).not.toHaveProperty('received')
  })
})

it.each([
  ['an object', z.object({ data: z.record(z.string(), z.string()) }), { data: [] }, 'Must be of type object'],
  [
    'one of several kinds',
    z.object({
      block: z.discriminatedUnion('type', [
        z.object({ type: z.literal('text') }),
        z.object({ type: z.literal('button') }),
      ]),
    }),
    { block: { type: 'video' } },
    'Must be one of: text, button.',
  ],
  ['one of several types', z.union([z.string(), z.array(z.object({}))]), null, 'Must be of type array or string'],
  [
    'one of nested types',
    z.union([z.union([z.string(), z.object({ a: z.string() })]), z.array(z.string())]),
    5,
    'Must be of type array, object or string',
  ],
  ['a small number', z.number().max(168), 169, 'Must be at most 168.'],
  ['a large number', z.number().min(0), -1, 'Must be at least 0.'],
  ['a positive number', z.number().positive(), 0, 'Must be more than 0.'],
  ['a long text', z.string().min(8), 'x', 'Must have at least 8 characters.'],
  ['a short list', z.array(z.string()).max(1), ['a', 'b'], 'Must have at most 1 item.'],
])('a value that is not %s is described in plain words', (_what, schema, value, message) => {
  expect(problemsOf(schema, value)[0]).toMatchObject({ message })
})

it('a validation problem of a key describes the key', () => {
  const headers = z.record(z.string().regex(/^[a-z]+$/, 'Must be the name of a header.'), z.string())
  const [problem] = problemsOf(z.object({ headers }), { headers: { 'no name': 'x' } })
  expect(problem).toMatchObject({ field: 'headers.no name', message: 'Must be the name of a header.' })
})

describe('a valid value', () => {
  it('is returned parsed, without unknown keys', () => {
    expect(validate(z.object({ a: emailAddress }), { a: ' A@Example.org ', b: 1 })).toEqual({ a: 'a@example.org' })
  })

  it('can lack a prototype', () => {
    const bare = Object.assign(Object.create(null), { a: 'x', map: Object.assign(Object.create(null), { k: 'v' }) })
    const schema = z.object({ a: z.string(), map: z.record(z.string(), z.string()) })
    expect(validate(schema, bare)).toEqual({ a: 'x', map: { k: 'v' } })
  })
})

describe('path parameters', () => {
  const id = '019a0000-0000-7000-8000-000000000000'

  it('must be valid IDs if they are IDs', () => {
    expect(validateParams({ id: idOf('contact') }, { id })).toEqual({ id })
    expect(validateParams({ id: idOf('contact') }, { id: id.toUpperCase() })).toEqual({ id: id.toUpperCase() })
    for (const wrong of ['', '7', `${id}0`, ` ${id}`, id.replaceAll('-', '')]) {
      expect(() => validateParams({ id: idOf('contact') }, { id: wrong })).toThrow(
        expect.objectContaining({ code: 'CONTACT_NOT_FOUND', extras: { details: { resource: 'contact', id: wrong } } }),
      )
    }
  })

  it('can be anything if they are text', () => {
    expect(validateParams({ field: 'text' }, { field: 'data.first name' })).toEqual({ field: 'data.first name' })
  })
})
