/**
 * `npm run soak`: the tests with random faults and random requests, for much longer than in `npm test`. Takes about an
 * hour and writes a report. `npm run soak -- crashes` runs one of them. A failed run is repeated with its seed:
 * `SOAK_SEED=123 npm run soak -- crashes`.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'

const REPORT = 'soak-report.md'

const seed = process.env.SOAK_SEED ?? String(Date.now() % 1_000_000)
const RUNS: Record<string, { file: string; env: Record<string, string> }> = {
  crashes: { file: 'server/test/faults/crashes.test.ts', env: { SOAK_KILLS: '100', SOAK_SEED: seed } },
  requests: { file: 'server/test/gate/fuzz.test.ts', env: { FUZZ_REQUESTS: '100000' } },
}

interface Result {
  name: string
  passed: boolean
  minutes: number
  output: string
}

async function run(name: string): Promise<Result> {
  const { file, env } = RUNS[name]!
  const startedAt = performance.now()
  const child = spawn('npx', ['vitest', 'run', file], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    process.stdout.write(chunk)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { name, passed: code === 0, minutes: (performance.now() - startedAt) / 60_000, output }
}

const describeResult = ({ name, passed, minutes, output }: Result) => `
## ${name}: ${passed ? 'passed' : 'FAILED'} in ${minutes.toFixed(1)} minutes

\`\`\`
${output.trim()}
\`\`\`
`

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in RUNS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. Choose from: ${Object.keys(RUNS).join(', ')}.`)
  process.exit(1)
}
const results: Result[] = []
for (const name of asked.length > 0 ? asked : Object.keys(RUNS)) results.push(await run(name))
const machine = `${os.availableParallelism()} cores (${os.cpus()[0]?.model.trim()}, ${process.arch}), Node.js ${process.versions.node}`
writeFileSync(
  REPORT,
  `# Soak of ${new Date().toISOString().slice(0, 10)}\n\n${machine}, seed ${seed}\n${results.map(describeResult).join('')}`,
)
console.log(`The report is in ${REPORT}.`)
if (results.some(({ passed }) => !passed)) process.exitCode = 1
