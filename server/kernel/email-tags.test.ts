import { describe, expect, it } from 'vitest'
import { emailTagsField, parseTag } from './email-tags.ts'

const problemsOf = (given: unknown) =>
  (emailTagsField.safeParse(given).error?.issues ?? []).map(({ path }) => path.join('.'))

describe('the tags of a request', () => {
  it('are names with values', () => {
    const tags = { category: 'receipt', 'order-id': '17', a_B: 'é', emoji: '😀'.repeat(256) }
    expect(emailTagsField.parse(tags)).toEqual(tags)
    expect(emailTagsField.parse({})).toEqual({})
  })

  it.each([
    [null, ['']],
    [['a'], ['']],
    ['a=b', ['']],
    [Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`t${i}`, 'x'])), ['']],
    [{ 'a b': 'x' }, ['a b']],
    [{ '': 'x' }, ['']],
    [{ ['a'.repeat(65)]: 'x' }, ['a'.repeat(65)]],
    [{ constructor: 'x' }, ['constructor']],
    [JSON.parse('{"__proto__": "x", "prototype": "x"}'), ['__proto__', 'prototype']],
    [{ a: '' }, ['a']],
    [{ a: 1, b: null }, ['a', 'b']],
    [{ a: 'x'.repeat(257) }, ['a']],
    [{ a: '😀'.repeat(257) }, ['a']],
    [{ a: 'x\r\ny', b: '\0', c: 'x\u2028', d: '\u2029x' }, ['a', 'b', 'c', 'd']],
  ])('are refused if they are %j', (given, fields) => {
    expect(problemsOf(given)).toEqual(fields)
  })
})

describe('parseTag', () => {
  it.each([
    ['a:b', { name: 'a', value: 'b' }],
    ['a:b:c=d', { name: 'a', value: 'b:c=d' }],
    ['a', undefined],
    [':b', undefined],
    ['a:', undefined],
    ['a b:c', undefined],
    ['__proto__:x', undefined],
  ])('reads %s', (text, expected) => {
    expect(parseTag(text)).toEqual(expected)
  })
})
