/**
 * Runs the tests that depend on the version of PostgreSQL on each supported one: the first start and a restart with emails, a
 * campaign and a workflow, every committed statement, the migrations from 0.1.0, the queue and the contract.
 *   npm run test:databases            all versions
 *   npm run test:databases -- 15 16   only these
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPostgres, type PostgresMajor } from './postgres-packages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAJORS: PostgresMajor[] = [15, 16, 17, 18]
const TESTS = [
  'server/test/service/external-database.test.ts',
  'server/test/database/upgrade.test.ts',
  'server/test/database/statements.test.ts',
  'server/test/database/sql-files.test.ts',
  'server/test/database/migration-rules.test.ts',
  'server/test/database/partitions.test.ts',
  'server/test/database/tallies.test.ts',
  'server/test/queue/',
  'server/test/project/contract.test.ts',
]

const asked = process.argv.slice(2).map(Number)
const waiting = MAJORS.filter((major) => asked.length === 0 || asked.includes(major))
const reports = mkdtempSync(path.join(tmpdir(), 'posthorn-versions-'))
const counts = { passed: 0, failed: 0 }

async function runOn(major: PostgresMajor): Promise<void> {
  if (!(await installPostgres(major))) return
  const report = path.join(reports, `${major}.json`)
  const from = performance.now()
  const args = [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--maxWorkers=1', ...TESTS]
  const env = { ...process.env, POSTHORN_TEST_POSTGRES: String(major), POSTHORN_TEST_REPORT: report }
  const child = spawn(process.execPath, args, { cwd: ROOT, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  const { passed, failed } = countsIn(report)
  counts.passed += passed
  counts.failed += failed || (code === 0 ? 0 : 1)
  if (code !== 0) console.log(output)
  const seconds = Math.round((performance.now() - from) / 1000)
  console.log(`PostgreSQL ${major}: ${code === 0 ? `${passed} passed` : 'failed'} (${seconds} s)`)
}

function countsIn(report: string): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 } // the run ended before its report was written
  }
}

async function runNext(): Promise<void> {
  for (let major = waiting.shift(); major; major = waiting.shift()) await runOn(major)
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext))
rmSync(reports, { recursive: true, force: true })
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
