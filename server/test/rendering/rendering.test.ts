/** The renderer with its real threads, started from the sources and from a bundle. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterEach, describe, expect, it } from 'vitest'
import { createRenderer, type Renderer } from '../../platform/rendering/renderer.ts'
import { templateScope } from '../../platform/rendering/template.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'

const now = new Date('2026-03-04T05:06:07Z')
const options = { escape: true, now }

const scope = templateScope({
  requestData: { name: '<Ann>', words: 'b a', object: { a: 1 }, thousand: Array(1000).fill('x') },
  contact: { id: 'c1', email: 'ann@example.com' },
  links: { unsubscribeUrl: 'u', subscribeUrl: 's', manageUrl: 'm' },
})

const PLAIN = 'Hi {{ name ?? "you" }}'
const NOT_PLAIN =
  '{{ words | split: " " | sort | join: "," }} {{ name }} {{ object | append: "" | raw }} {{ "now" | date: "%F" }}'
const NOT_PLAIN_TEXT = 'a,b &lt;Ann&gt; {"a":1} 2026-03-04'
const ENDLESS = '{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}'

let renderer: Renderer
const open = (settings?: Parameters<typeof createRenderer>[0]) => {
  renderer = createRenderer(settings)
  return renderer
}

afterEach(() => renderer.close())

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )

describe('the renderer', () => {
  it('renders plain templates, and leaves text without Liquid unchanged', async () => {
    const { render } = open()
    expect(await render('p1', PLAIN, scope, options)).toBe('Hi &lt;Ann&gt;')
    expect(await render('p1', PLAIN, scope, { ...options, escape: false })).toBe('Hi <Ann>')
    expect(await render('p1', 'a } b', scope, options)).toBe('a } b')
  })

  it('renders other templates in a thread, with the same result', async () => {
    expect(await open().render('p1', NOT_PLAIN, scope, options)).toBe(NOT_PLAIN_TEXT)
  })

  it('continues in a thread if a plain template is slow', async () => {
    const { render, close } = open()
    await close()
    const slow = '{% for a in thousand %}{% for b in thousand %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}'
    expect(await failure(render('p1', slow, scope, options))).toMatchObject({ message: 'The threads are closed.' })
  })

  it('reports where a template is invalid, and errors in a thread', async () => {
    const { render } = open()
    expect(await failure(render('p1', 'a\n{{ b', scope, options))).toMatchObject({
      reason: 'syntax',
      line: 2,
      column: 1,
    })
    const refused = await failure(render('p1', 'a\n{{ words | split: "" | push: (1..9999999) }}', scope, options))
    expect(refused).toBeInstanceOf(TemplateError)
    expect(refused).toMatchObject({ reason: 'size', message: 'A range can have at most 100000 items.' })
  })

  it('stops a rendering at its deadline, and continues with a new thread', async () => {
    const { render } = open({ threads: 1, deadlineMs: 300 })
    const endless = failure(render('p1', ENDLESS, scope, options))
    const behind = render('p1', NOT_PLAIN, scope, options)
    const late = await endless
    expect(late).toBeInstanceOf(TemplateError)
    expect(late).toMatchObject({ reason: 'time', message: 'The template took too long and was stopped.' })
    expect(await behind).toBe(NOT_PLAIN_TEXT)
  })

  it('a project whose templates never end delays no other project', async () => {
    const { render, close } = open({ threads: 1, deadlineMs: 600_000 })
    const endless = Array.from({ length: 100 }, (_, i) => failure(render('hog', `${i}${ENDLESS}`, scope, options)))
    for (const project of ['a', 'b']) expect(await render(project, NOT_PLAIN, scope, options)).toBe(NOT_PLAIN_TEXT)
    await close()
    const last = (await Promise.all(endless)).slice(50) // each takes about a second
    for (const error of last) expect(error).toMatchObject({ message: 'The threads were closed.' })
  })

  it('fails the rest of a mailing without rendering it, once three of its emails ran out of time', async () => {
    const { render } = open({ threads: 1, deadlineMs: 50 })
    const mailing = Array.from({ length: 50 }, () => failure(render('hog', ENDLESS, scope, options)))
    const messages = (await Promise.all(mailing)).map((error) => (error as Error).message)
    const notRendered = messages.filter((message) => /3 times in a row, so it was not rendered again/.test(message))
    expect(messages[0]).toBe('The template took too long and was stopped.')
    expect(notRendered.length).toBeGreaterThanOrEqual(46) // one more may have started
    expect(await failure(render('other', ENDLESS, scope, options))).toMatchObject({
      message: 'The template took too long and was stopped.',
    })
  })

  it('keeps this process responsive while a thread is busy', async () => {
    const { render } = open({ threads: 1 })
    await render('p1', NOT_PLAIN, scope, options) // the thread has started
    let ticks = 0
    const ticking = setInterval(() => ticks++, 5)
    const late = await failure(render('p1', ENDLESS, scope, options))
    clearInterval(ticking)
    expect(late).toMatchObject({ reason: 'time' })
    expect(ticks).toBeGreaterThan(10)
  })

  it('returns its own text to each of many renderings', async () => {
    const { render } = open()
    const texts = Array.from({ length: 200 }, (_, i) =>
      render('p1', `${i} {{ words | split: " " | last }}`, scope, options),
    )
    expect(await Promise.all(texts)).toEqual(Array.from({ length: 200 }, (_, i) => `${i} a`))
  })

  it('converts long HTML to the same text even if its thread is stopped, so that every attempt of an email is the same', async () => {
    const html = `${'<p>A paragraph of an email.</p>'.repeat(8_000)}<p>The end.</p>`
    const inTime = await open().plainText('p1', html)
    expect(inTime).toMatch(/The end\.$/)
    await renderer.close()
    expect(await open({ deadlineMs: 0 }).plainText('p1', html)).toBe(inTime)
  })

  it('rejects waiting renderings when it is closed', async () => {
    const { render, close } = open({ threads: 1 })
    const waiting = [failure(render('p1', ENDLESS, scope, options)), failure(render('p1', NOT_PLAIN, scope, options))]
    await new Promise(setImmediate) // both are waiting for the thread
    await close()
    for (const answer of await Promise.all(waiting))
      expect(answer).toMatchObject({ message: 'The threads were closed.' })
    expect(await failure(render('p1', NOT_PLAIN, scope, options))).toMatchObject({ message: 'The threads are closed.' })
    expect(await render('p1', PLAIN, scope, options)).toBe('Hi &lt;Ann&gt;')
  })

  it('finds its thread file in a bundle', async () => {
    const outdir = await mkdtemp(path.join(tmpdir(), 'posthorn-rendering-'))
    try {
      const folder = path.join(import.meta.dirname, '../../platform/rendering')
      await build({
        entryPoints: [path.join(folder, 'renderer.ts'), path.join(folder, 'render-thread.ts')],
        outdir,
        bundle: true,
        platform: 'node',
        format: 'esm',
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
      })
      await writeFile(path.join(outdir, 'package.json'), '{"type": "module"}')
      const bundle = (await import(/* @vite-ignore */ pathToFileURL(path.join(outdir, 'renderer.js')).href)) as {
        createRenderer: typeof createRenderer
      }
      renderer = bundle.createRenderer()
      expect(await renderer.render('p1', NOT_PLAIN, scope, options)).toBe(NOT_PLAIN_TEXT)
      await renderer.close()
    } finally {
      await rm(outdir, { recursive: true, force: true })
    }
  })
})
