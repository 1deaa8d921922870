import { afterAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/errors.ts'
import { createRenderer, refuseBrokenLiquid } from './renderer.ts'

const renderer = createRenderer({ deadlineMs: 60_000 }) // a busy machine takes longer than the default
afterAll(() => renderer.close())

async function problemsOf(texts: Record<string, string | undefined>) {
  try {
    await refuseBrokenLiquid(renderer, 'p1', texts)
  } catch (error) {
    if (error instanceof Refusal) return error.extras.problems
    throw error
  }
  return []
}

describe('invalid Liquid', () => {
  it('is refused with its line and column, in every field at once', async () => {
    expect(await problemsOf({ subject: 'a {{ b', body: '<p>\n  {% if x %}' })).toEqual([
      { field: 'subject', message: expect.stringMatching(/\(line 1, column 3\)$/), code: 'custom' },
      { field: 'body', message: expect.stringMatching(/\(line 2, column 3\)$/), code: 'custom' },
    ])
  })

  it('is refused in a long template as in a short one', async () => {
    const long = `{% liquid\n${'echo name\n'.repeat(5_000)}%}`
    expect(await problemsOf({ body: long })).toEqual([])
    const message = expect.stringMatching(/\(line 5002, column \d+\)$/)
    expect(await problemsOf({ body: `${long}{{ name` })).toEqual([{ field: 'body', message, code: 'custom' }])
  })

  it("is only what can't be parsed: valid Liquid, no Liquid and no text are accepted", async () => {
    expect(await problemsOf({ subject: '{{ a ?? "b" }}', body: '}} %}', other: undefined })).toEqual([])
  })
})
