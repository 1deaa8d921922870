import { availableParallelism, totalmem } from 'node:os'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { SlowFiles } from './server/test/slow-files.ts'
import { LongFilesFirst } from './server/test/test-order.ts'

const report = process.env.POSTHORN_TEST_REPORT
/** What a worker takes with the processes and the browser that its tests start. */
const WORKER_BYTES = 1.5e9
/** A test that takes so long hangs. Slow and busy machines take a while, so there is no shorter limit anywhere. */
const HANG_MS = 300_000
/** The same for a condition that a test waits for. */
const CONDITION_MS = 90_000

export default defineConfig({
  // The client as it is in this repository, as in dashboard/vite.config.ts.
  ssr: { resolve: { conditions: ['posthorn:source', ...defaultServerConditions] } },
  test: {
    include: ['server/**/*.test.ts', 'dashboard/**/*.test.ts', 'e2e/**/*.{spec,test}.ts'],
    globalSetup: ['server/test/global-setup.ts', 'e2e/global-setup.ts'],
    setupFiles: ['server/test/record-statements.ts'],
    pool: 'forks',
    // Loading the server's modules again for every file would take a quarter of the time of all tests.
    isolate: false,
    unstubEnvs: true,
    // More than there are cores, because tests with processes mostly wait for them.
    maxWorkers: Math.max(1, Math.min(2 * availableParallelism(), Math.floor(totalmem() / WORKER_BYTES))),
    sequence: { sequencer: LongFilesFirst },
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: CONDITION_MS } },
    reporters: ['default', new SlowFiles(), ...(report ? ['json'] : [])],
    outputFile: report ? { json: report } : undefined,
  },
})
