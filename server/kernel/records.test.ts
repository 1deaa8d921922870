import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { recordOf } from './records.ts'

describe('a record', () => {
  const schema = z.object({ headers: recordOf(z.string(), z.string()).optional() })

  it('refuses the key __proto__, which would be left out', () => {
    const { error } = schema.safeParse({ headers: JSON.parse('{"a": "b", "__proto__": "x"}') })
    expect(error?.issues.map(({ path }) => path)).toEqual([['headers', '__proto__']])
  })

  it('accepts other keys', () => {
    expect(schema.parse({ headers: { constructor: 'x', a: 'b' } })).toEqual({ headers: { constructor: 'x', a: 'b' } })
    expect(schema.parse({})).toEqual({})
    expect(schema.safeParse({ headers: [] }).success).toBe(false)
  })
})
