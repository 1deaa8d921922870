/** Unusual values and bodies, and where a body can have them. */
import type { Json } from './gate-examples.ts'

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels)

/** As JSON text, because some of them can't be a JavaScript value. */
export const STRANGE_VALUES: Record<string, string> = {
  null: 'null',
  zero: '0',
  huge: '1e400',
  'large number': '123456789012345678901234567890',
  'empty text': '""',
  NUL: '"a\\u0000b"',
  'half a character': '"a\\ud83d"',
  'control characters': '"\\u0001\\u001f\\u007f\\u0085\\u2028\\ufeff"',
  'line breaks': '"a\\r\\nb"',
  'right to left': '"\\u202e😀é"',
  'a template': '"{{ x | y: }} {% for"',
  SQL: `"'; drop table contacts; --"`,
  'long text': JSON.stringify('x'.repeat(1_000_000)),
  list: '[]',
  'nested lists': deep(10_000, '[', ']'),
  object: '{}',
  'nested objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'deep with a NUL': `${'{"a":'.repeat(10_000)}"\\u0000"${'}'.repeat(10_000)}`,
  'prototype keys': '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"toString":"x","hasOwnProperty":1}',
  'a NUL in a key': '{"a\\u0000b":1}',
  'half a character in a key': '{"a\\ud83d":{"b\\ude00":"c\\ud83d"}}',
  'a long key': `{"${'k'.repeat(10_000)}":1}`,
  'many keys': `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":{"a":${i}}`).join(',')}}`,
  'an email-like object': '{"email":{"email":"a@example.org"},"name":{"name":1}}',
}

export const STRANGE_BODIES: Record<string, string> = {
  ...STRANGE_VALUES,
  nothing: '',
  malformed: '{"email":',
  'two objects': '{}{}',
  'a byte order mark': '\ufeff{}',
  'the same key twice': '{"email":1,"email":[],"to":1,"to":{}}',
}

/** The paths of all values inside an example: `attachments.0.filename`. */
export function pathsIn(value: Json, path: string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [...(path.length > 0 ? [path] : []), ...inner.flatMap(([key, item]) => pathsIn(item, [...path, key]))]
}

/** A copy of the body with another value at the path. */
export function withValue(body: Json, path: string[], value: unknown): Json {
  const copy = structuredClone(body) as Record<string, Json>
  const parent = path.slice(0, -1).reduce<Record<string, Json>>((at, key) => at[key] as Record<string, Json>, copy)
  parent[path.at(-1)!] = value as Json
  return copy
}
