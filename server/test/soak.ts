/**
 * `npm run soak`: checks that take too long for `npm test`, with a report. Name the parts to run only those:
 *
 *   crashes        processes are killed at random, 100 times
 *   requests       100,000 malformed requests
 *   day            a day of mixed traffic in an hour; SOAK_MINUTES changes how long it takes
 *   workers        eight workers start at once, for three minutes
 *   locks          whole tables are locked for a minute each while everything is in progress
 *   machines       API and worker machines in network namespaces lose their network; needs root, HAProxy and PgBouncer
 *   upgrade [from] a rolling upgrade under traffic from another version: a commit, a tag or the folder of an installed checkout
 *
 * Without names, `crashes`, `requests` and `day` run. A failed run of `crashes` is repeated
 * with its seed: `SOAK_SEED=123 npm run soak -- crashes`.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'

const REPORT = 'soak-report.md'

const seed = process.env.SOAK_SEED ?? String(Date.now() % 1_000_000)
interface Run {
  command: string[]
  env?: Record<string, string>
}
const tests = (file: string) => ['npx', 'vitest', 'run', file]
const script = (file: string) => [process.execPath, '--import', 'tsx', file]
const SOAK_KILLS = process.env.SOAK_KILLS ?? '100'
const RUNS: Record<string, Run> = {
  crashes: { command: tests('server/test/faults/crashes.test.ts'), env: { SOAK_KILLS, SOAK_SEED: seed } },
  requests: { command: tests('server/test/gate/fuzz.test.ts'), env: { FUZZ_REQUESTS: '100000' } },
  day: { command: script('server/test/soak/day.ts') },
  workers: { command: script('server/test/soak/workers.ts') },
  locks: { command: script('server/test/soak/locks.ts') },
  machines: { command: script('server/test/soak/machines.ts') },
  upgrade: { command: script('server/test/soak/upgrade.ts') },
}

interface Result {
  name: string
  passed: boolean
  minutes: number
  output: string
}

async function run(name: string): Promise<Result> {
  const { command, env } = RUNS[name]!
  const [program, ...args] = command
  const startedAt = performance.now()
  const child = spawn(program!, args, {
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
if (asked[0] === 'upgrade' && asked[1]) RUNS.upgrade!.env = { SOAK_UPGRADE_FROM: asked.pop()! }
const unknown = asked.filter((name) => !(name in RUNS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. Choose from: ${Object.keys(RUNS).join(', ')}.`)
  process.exit(1)
}
const results: Result[] = []
for (const name of asked.length > 0 ? asked : ['crashes', 'requests', 'day']) results.push(await run(name))
const machine = `${os.availableParallelism()} cores (${os.cpus()[0]?.model.trim()}, ${process.arch}), Node.js ${process.versions.node}`
writeFileSync(
  REPORT,
  `# Soak of ${new Date().toISOString().slice(0, 10)}\n\n${machine}, seed ${seed}\n${results.map(describeResult).join('')}`,
)
console.log(`The report is in ${REPORT}.`)
if (results.some(({ passed }) => !passed)) process.exitCode = 1
