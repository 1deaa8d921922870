/** `npm run check:language` must notice odd words in texts, and only there. */
import { describe, expect, it } from 'vitest'
import {
  commentsOf,
  oddIdentifiersIn,
  oddWordsIn,
  partialTestNamesIn,
  straightApostrophesIn,
  testNamesOf,
  textsOf,
} from '../../../tools/check-language.mjs'

describe('tools/check-language.mjs', () => {
  it.each([
    'One letter to many',
    'It is told in docs/mail.md',
    'The bounce rate is 5 %',
    'No way back',
    'Chosen by hand',
    'It goes out once',
    'The service did not answer in time',
    'Retried after trouble on the way',
    'The campaign was cancelled',
    'The job is tried again later',
    'SES says that the domain can send',
    'What becomes of an email',
    'The job of a dead worker',
    'Unfinished jobs are handed back',
    'Must be a template id.',
    'It receives no bulk email',
  ])('refuses the text %j', (text) => {
    expect(oddWordsIn(text)).toHaveLength(1)
  })

  it.each([
    'Our newsletter',
    'a letter-spacing of 2px',
    'The bounce rate is 5%',
    '{% if a == 1 %}',
    'Send it again',
    'Group contacts by hand-picked membership',
    'The database is back',
    'The status is CANCELLED',
    'Try again later.',
    'Must be a template ID.',
    '`id` is its ID',
    'select the_id from ids order by id',
  ])('accepts the text %j', (text) => {
    expect(oddWordsIn(text)).toEqual([])
  })

  it('refuses comments that begin with "of"', () => {
    expect(oddWordsIn('// Of its job.', true)).toHaveLength(1)
    expect(oddWordsIn('// The time of its job. Of others, nothing is known.', true)).toEqual([])
  })

  it('accepts `id` as the name of a column in comments', () => {
    expect(oddWordsIn('Returns the id of the contact.')).toHaveLength(1)
    expect(oddWordsIn('Returns the id of the contact.', true)).toEqual([])
  })

  it('refuses straight apostrophes in the dashboard and in emails, but not in API messages', () => {
    for (const name of ['dashboard/pages/contacts/texts.ts', 'server/features/tenants/members/notices.ts']) {
      expect(straightApostrophesIn("It can't be undone.", name)).toHaveLength(1)
      expect(straightApostrophesIn("It can’t be undone, says 'a'.", name)).toEqual([])
    }
    expect(straightApostrophesIn("It can't be undone.", 'server/features/tenants/members/actions.ts')).toEqual([])
  })

  it('reads the names of tests, but not their data', () => {
    const code = [
      "describe('a letter', () => {",
      "  it.each([['data']])('is sent to %s', async () => expect(await send('anew')).toBe('by itself'))",
      "  test.skipIf(isRoot)('is kept', () => undefined)",
      '})',
    ].join('\n')
    expect(testNamesOf(code, 'a.test.ts').map(({ line, text }) => `${line}: ${text}`)).toEqual([
      '1: a letter',
      '2: is sent to %s',
      '3: is kept',
    ])
  })

  it('refuses names of tests that begin in the middle of a phrase, but not those of groups', () => {
    const code = [
      "describe('with storage in S3', () => {",
      "  it.each([['data']])('that is %s is refused', () => undefined)",
      "  it('is refused with 422', () => undefined)",
      '})',
    ].join('\n')
    expect(partialTestNamesIn(code, 'a.test.ts').map(({ line, found }) => `${line}: ${found}`)).toEqual(['2: that …'])
  })

  it('reads documentation comments and line comments', () => {
    const code = '/** One line. */\nconst a = "http://a//b" // and this\n/**\n * Two\n * lines.\n */\nconst b = 2'
    expect(commentsOf(code).map(({ line, text }) => `${line}: ${text}`)).toEqual([
      '1: /** One line. */',
      '2: // and this',
      '3: /** Two lines. /',
    ])
  })

  it('reports identifiers with words that have no ordinary use in code', () => {
    const code =
      'const hindrance = forgetKeys()\nconst latest = intend(extended, notes, settled, storyteller.tells)\nnoteUsage()'
    expect(oddIdentifiersIn(code, 'example.ts')).toEqual([
      { line: 1, found: 'hindrance' },
      { line: 1, found: 'forgetKeys' },
      { line: 3, found: 'noteUsage' },
    ])
  })

  it('reads strings, templates and JSX, but no comments, imports, identifiers or SQL', () => {
    const code = [
      "import { letter } from './letter.ts'",
      '// a comment',
      "const letter = 'a string'",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code under test.
      'const template = `from ${letter} to here`',
      'const statement = sql`select 1 from letters`',
      'const element = <p title="an attribute">some text</p>',
    ].join('\n')
    expect(textsOf(code, 'example.tsx').map(({ line, text }) => `${line}: ${text}`)).toEqual([
      '3: a string',
      '4: from ',
      '4:  to here',
      '6: an attribute',
      '6: some text',
    ])
  })
})
