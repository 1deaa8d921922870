import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const report = process.env.POSTHORN_TEST_REPORT

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
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
