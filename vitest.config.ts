import { defineConfig } from 'vitest/config'

const report = process.env.POSTHORN_TEST_REPORT

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'dashboard/**/*.test.ts', 'e2e/**/*.{spec,test}.ts'],
    globalSetup: ['server/test/global-setup.ts', 'e2e/global-setup.ts'],
    setupFiles: ['server/test/record-statements.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
