/** Runs in a thread: compiles one MJML document at a time, until it is stopped. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { Engine, initSync } from 'mrml/web/mrml_wasm.js'
import { serveJobs } from '../threads.ts'
import { withDarkMode } from './dark-mode.ts'
import { protectSource } from './mjml-source.ts'

export type CompileReply = { kind: 'compiled'; html: string } | { kind: 'failed'; message: string }

/**
 * The limits of a thread don't include the memory of WebAssembly. Without a limit, a short document whose attributes
 * apply to thousands of elements takes gigabytes; ordinary ones take a few megabytes.
 */
const PAGES_MAX = 4096 // of 64 KB
setFlagsFromString(`--wasm-max-mem-pages=${PAGES_MAX}`)

const FILE = 'mrml_wasm_bg.wasm'
const file = import.meta.url.endsWith('.ts')
  ? createRequire(import.meta.url).resolve(`mrml/web/${FILE}`)
  : new URL(`./${FILE}`, import.meta.url)
initSync({ module: readFileSync(file) })

const engine = new Engine()
// Nothing is included from elsewhere, and only fonts that a document names are loaded.
engine.setParserOptions({ includeLoader: { type: 'noop' } })
engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })

serveJobs(async ({ mjml }: { mjml: string }): Promise<CompileReply> => {
  const { source, restore } = protectSource(mjml)
  const failed = (message: string): CompileReply => ({ kind: 'failed', message: restore(message) })
  if (/<mj-include\b/.test(source)) return failed('mj-include is not supported. Insert the content itself.')
  const result = await compile(source)
  if (result.type === 'error') return failed(reasonOf(result, source))
  const unknown = /<(mj-[\w-]+)/.exec(result.content)?.[1]
  if (unknown) return failed(`The element ${unknown} is unknown or not allowed there.`)
  return { kind: 'compiled', html: withDarkMode(restore(result.content)) }
})

/**
 * If the compiler runs out of stack or memory, its state is unknown. The thread then exits with a `RangeError` instead of
 * responding, so that no other document is sent to it.
 */
function compile(source: string): ReturnType<Engine['toHtml']> | Promise<never> {
  try {
    return engine.toHtml(source)
  } catch {
    setImmediate(() => {
      throw new RangeError('The compiler ran out of stack or memory.')
    })
    return new Promise(() => {})
  }
}

type Failure = Extract<ReturnType<Engine['toHtml']>, { type: 'error' }>

function reasonOf(failure: Failure, source: string): string {
  if (failure.origin !== 'parser') return `The MJML can't be compiled: ${failure.message}.`
  const { details } = failure
  if (details.type === 'parser-error') return `The MJML can't be parsed: ${details.source}.`
  if (details.type === 'no-root-node') return 'The MJML must start with an mjml element.'
  if (details.type === 'end-of-stream') return 'The MJML ends before all of its elements are closed.'
  if (!('position' in details)) return `The MJML can't be parsed: ${failure.message}.`
  const { start, end } = details.position
  const line = source.slice(0, start).split('\n').length
  return `The MJML has an error near "${source.slice(start, end).slice(0, 100)}" (line ${line}).`
}
