/**
 * Starts a thread from its source file. In the bundle the file is next to ours; from the sources it is TypeScript,
 * which Node 20 can load in a thread only after the thread has registered the loader (`--import` has no effect there).
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'

/** `name` is a file next to `from`, the caller's own URL, without its extension. */
export function startThread(name: string, from: string, resourceLimits: ResourceLimits = {}): Worker {
  const options: WorkerOptions = { env: {}, execArgv: [], resourceLimits }
  if (!from.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), options)
  const entry = new URL(`./${name}.ts`, from).href
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = new URL('dist/esm/api/index.mjs', tsx).href
  const bootstrap = `import('${loader}').then((tsx) => { tsx.register(); return import('${entry}') })`
  return new Worker(bootstrap, { ...options, eval: true })
}
