/** The queue of compilations: what a project can have in it, and what the others notice of it. */
import { afterEach, expect, it } from 'vitest'
import { createMjmlCompiler, type MjmlCompiler } from './mjml-compiler.ts'

let compiler: MjmlCompiler
afterEach(() => compiler.close())

const SOURCE = '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>'

it('refuses more compilations of a project than its limit, and accepts those of other projects', async () => {
  compiler = createMjmlCompiler({ perProject: 3 })
  const accepted = [1, 2, 3].map(() => compiler.compile('one', SOURCE))
  const refused = compiler.compile('one', SOURCE)
  const other = compiler.compile('two', SOURCE)
  await expect(refused).rejects.toMatchObject({ kind: 'too-many', extras: { details: { retryAfter: 1, limit: 3 } } })
  for (const html of await Promise.all([...accepted, other])) expect(html).toContain('Hi')
  expect(await compiler.compile('one', SOURCE)).toContain('Hi')
})

it('a project with slow documents delays no other project', async () => {
  compiler = createMjmlCompiler({ threads: 1, deadlineMs: 600_000 })
  const sections = '<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>'.repeat(5_000)
  const hog = Array.from({ length: 20 }, () =>
    compiler.compile('hog', `<mjml><mj-body>${sections}</mj-body></mjml>`).then(
      () => 'compiled',
      () => 'stopped',
    ),
  )
  const others = ['one', 'two'].map((project) => compiler.compile(project, SOURCE))
  for (const html of await Promise.all(others)) expect(html).toContain('Hi')
  expect(await Promise.race([Promise.all(hog), 'still compiling'])).toBe('still compiling')
  await compiler.close()
  expect(await Promise.all(hog)).toContain('stopped')
})

it('refuses further projects if too many have compilations, until one of these has none', async () => {
  compiler = createMjmlCompiler({ projects: 1 })
  const first = compiler.compile('one', SOURCE)
  await expect(compiler.compile('two', SOURCE)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await first).toContain('Hi')
  expect(await compiler.compile('two', SOURCE)).toContain('Hi')
})

it('compiles the next document of a project even if one is invalid', async () => {
  compiler = createMjmlCompiler()
  const [broken, valid] = [compiler.compile('one', '<mjml>'), compiler.compile('one', SOURCE)]
  await expect(broken).rejects.toThrow('ends before')
  expect(await valid).toContain('Hi')
})
