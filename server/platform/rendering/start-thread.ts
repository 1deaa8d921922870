/**
 * Starts a rendering thread. In the bundle its code lies beside ours; from the sources it is TypeScript, which Node 20
 * reads in a thread only after the thread itself has registered the loader (`--import` has no effect there).
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The hostile templates of the tests end by their own limits in 256 MB (96 are too few); beyond, the thread dies alone. */
const OPTIONS: WorkerOptions = {
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
}

export function startThread(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./render-thread.js', import.meta.url), OPTIONS)
  const entry = new URL('./render-thread.ts', import.meta.url).href
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = new URL('dist/esm/api/index.mjs', tsx).href
  const bootstrap = `import('${loader}').then((tsx) => { tsx.register(); return import('${entry}') })`
  return new Worker(bootstrap, { ...OPTIONS, eval: true })
}
