import { describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/errors.ts'
import { refuseBrokenLiquid } from './template.ts'

function problemsOf(texts: Record<string, string | undefined>) {
  try {
    refuseBrokenLiquid(texts)
  } catch (error) {
    if (error instanceof Refusal) return error.extras.problems
    throw error
  }
  return []
}

describe('broken Liquid', () => {
  it('is refused with its line and column, in every field at once', () => {
    expect(problemsOf({ subject: 'a {{ b', body: '<p>\n  {% if x %}' })).toEqual([
      { field: 'subject', message: expect.stringMatching(/\(line 1, column 3\)$/), code: 'custom' },
      { field: 'body', message: expect.stringMatching(/\(line 2, column 3\)$/), code: 'custom' },
    ])
  })

  it('is only what cannot be read: good Liquid, no Liquid and no text at all pass', () => {
    expect(problemsOf({ subject: '{{ a ?? "b" }}', body: '}} %}', other: undefined })).toEqual([])
  })
})
