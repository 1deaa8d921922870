/**
 * `npm run bench` runs every suite, `npm run bench -- track` those that are named, each on its own database, which is
 * deleted after it. A missed target is printed but isn't an error; the exit code is non-zero only if the benchmark
 * fails. `npm run bench -- profile track` runs a suite with profiles of all processes.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stopEverything } from './child.ts'
import { makeProfileFolder, printProfiles } from './profile.ts'
import { describeMachine } from './report.ts'
import { benchAnalytics } from './suites/analytics.ts'
import { benchBehavior } from './suites/audience/behavior.ts'
import { benchContacts } from './suites/audience/contacts.ts'
import { benchSegments } from './suites/audience/segments.ts'
import { benchCampaign } from './suites/campaign.ts'
import { benchConcurrent } from './suites/concurrent.ts'
import { benchDelivery } from './suites/delivery.ts'
import { benchEncryption } from './suites/encryption.ts'
import { benchForms } from './suites/forms.ts'
import { benchGrowth } from './suites/growth/growth.ts'
import { benchSend, benchTrack } from './suites/http.ts'
import { benchLatency } from './suites/latency.ts'
import { benchRequestLog } from './suites/request-log.ts'
import { benchSmtp } from './suites/smtp.ts'
import { benchStart } from './suites/start.ts'
import { benchWaves } from './suites/waves.ts'
import { benchWebhooks } from './suites/webhooks.ts'
import { benchWorkflows } from './suites/workflows.ts'

const SUITES: Record<string, (dataDir: string) => Promise<void>> = {
  start: benchStart,
  track: benchTrack,
  send: benchSend,
  contacts: benchContacts,
  segments: benchSegments,
  behavior: benchBehavior,
  delivery: benchDelivery,
  encryption: benchEncryption,
  concurrent: benchConcurrent,
  latency: benchLatency,
  campaign: benchCampaign,
  waves: benchWaves,
  smtp: benchSmtp,
  workflows: benchWorkflows,
  webhooks: benchWebhooks,
  forms: benchForms,
  'request-log': benchRequestLog,
  analytics: benchAnalytics,
  growth: benchGrowth,
}

const isProfile = process.argv[2] === 'profile'
const requested = process.argv.slice(isProfile ? 3 : 2)
const unknown = requested.filter((name) => !(name in SUITES))
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}.`)
  process.exit(1)
}

if (isProfile && requested.length !== 1) {
  console.error('Name the suite to profile: npm run bench -- profile campaign')
  process.exit(1)
}

const startedAt = performance.now()
const folder = await mkdtemp(path.join(tmpdir(), 'posthorn-bench-'))
console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}
The service, PostgreSQL and the load generator share these cores; the bare client shares them with PostgreSQL alone.
Absolute figures are this machine's; the ratios are what counts.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await stopEverything()
    await rm(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
if (isProfile) process.env.BENCH_PROFILE = await makeProfileFolder(requested[0]!)
try {
  for (const [name, suite] of Object.entries(SUITES)) {
    if (requested.length > 0 && !requested.includes(name)) continue
    const dataDir = path.join(folder, name)
    await mkdir(dataDir)
    await suite(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
  if (process.env.BENCH_PROFILE) await printProfiles(process.env.BENCH_PROFILE)
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`\n${describeMachine()}; done in ${Math.round((performance.now() - startedAt) / 1000)} s`)
