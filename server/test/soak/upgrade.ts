/**
 * A rolling upgrade under traffic: an API process and a worker of an earlier version run, those of this version start beside
 * them and migrate the database, and then the old ones stop. No request may fail, every email is sent once, and nothing remains
 * unfinished. The earlier version is SOAK_UPGRADE_FROM, a commit or the folder of an installed checkout; without it, the last
 * release, or the commit before the newest migration.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClients, TO_READERS } from './clients.ts'
import { CONNECTIONS_MAX, openInstallation } from './installation.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const READERS = 500
const CLIENTS = 3
/** How long each mix of versions serves traffic. */
const PHASE_MS = 10_000
const FINISHES_WITHIN_MS = 180_000

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

function previousVersion(): string {
  const tags = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n')
  if (tags[0]) return tags[0]
  const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'server/migrations')
  return `${newest}~1`
}

/** Checks out the version and installs its packages, or shares them if both versions have the same. */
function checkOut(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lockfile = (root: string) => fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  if (lockfile(folder) === lockfile(ROOT)) {
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
    return
  }
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
}

const migrations = (root: string) => fs.readdirSync(path.join(root, 'server/migrations')).length

async function upgrade(oldRoot: string): Promise<string[]> {
  const installation = await openInstallation()
  let isOver = false
  let baseUrls: string[] = []
  let next = 0
  const traffic: Array<Promise<void>> = []
  try {
    const oldApi = await installation.start({ ROLE: 'api' }, { root: oldRoot })
    const oldWorker = await installation.start({ ROLE: 'worker' }, { root: oldRoot })
    baseUrls = [oldApi.baseUrl]
    const clients = createClients(installation, () => baseUrls[next++ % baseUrls.length]!)
    await clients.addContacts(Array.from({ length: READERS }, (_, i) => `reader-${i}@example.org`))
    await clients.addWorkflow()
    const keepOn = (work: (i: number) => Promise<unknown>) =>
      (async () => {
        for (let i = 0; !isOver; i++) {
          await work(i)
          await sleep(20)
        }
      })()
    for (let client = 0; client < CLIENTS; client++) {
      traffic.push(keepOn((i) => clients.send(`customer-${client}-${i}@example.org`)))
      traffic.push(keepOn((i) => clients.track(`visitor-${client}-${i}@example.org`)))
    }
    const lists = [
      '/contacts',
      '/emails',
      '/campaigns',
      '/workflows',
      '/activity',
      '/analytics/timeseries',
      '/segments',
    ]
    traffic.push(keepOn((i) => clients.request('list', 'GET', lists[i % lists.length]!)))
    let rows = 0
    traffic.push(
      keepOn(async () => {
        await clients.importContacts(Array.from({ length: 50 }, () => `imported-${rows++}@example.org`))
        await sleep(1_000)
      }),
    )
    const phase = async (what: string) => {
      console.log(`${what}: ${clients.requests()} requests, ${clients.failures.length} failed`)
      await clients.sendCampaign(TO_READERS)
      await sleep(PHASE_MS)
    }
    await phase('only the old version')
    const [api, worker] = await Promise.all([
      installation.start({ ROLE: 'api' }),
      installation.start({ ROLE: 'worker' }),
    ])
    await phase('migrated, and only the old API serves')
    baseUrls = [oldApi.baseUrl, api.baseUrl]
    await phase('both versions serve')
    baseUrls = [api.baseUrl]
    const stopped = await Promise.all([oldApi.stop(), oldWorker.stop()])
    for (const { code, ms } of stopped) {
      console.log(`an old process stopped in ${(ms / 1_000).toFixed(1)} s`)
      if (code !== 0) clients.fail(`an old process stopped with code ${code}`)
    }
    await phase('only the new version')
    isOver = true
    await Promise.all(traffic)
    const left = await clients.untilDone(FINISHES_WITHIN_MS)
    const released = Number(/"count":(\d+),"msg":"released jobs/.exec(oldWorker.stdout())?.[1] ?? 0)
    if (released > 0) console.log(`The old worker released ${released} jobs to the others when it stopped.`)
    const errors = await clients.findErrors(released > 0 ? Math.max(released, CONNECTIONS_MAX) : 0)
    console.log(
      `${clients.requests()} requests, ${clients.failures.length} failed; ${clients.sentCount()} single emails, ` +
        `${clients.campaigns.length} campaigns, ${clients.visitCount()} executions, ${clients.imports.length} imports; ` +
        `${installation.sink.accepted.size} messages received`,
    )
    if (left.length + errors.length > 0) {
      for (const [name, { stdout }] of Object.entries({ oldApi, oldWorker, api, worker })) {
        const warnings = stdout()
          .split('\n')
          .filter((line) => /"level":[456]0|released|recovered/.test(line))
        for (const line of warnings.slice(0, 20)) console.log(`${name}: ${line}`)
      }
    }
    return [...left, ...errors]
  } finally {
    isOver = true
    await Promise.allSettled(traffic)
    await installation.close()
  }
}

const from = process.env.SOAK_UPGRADE_FROM ?? previousVersion()
const isFolder = fs.existsSync(path.join(from, 'start.mjs'))
const folder = isFolder ? from : fs.mkdtempSync(path.join(tmpdir(), 'posthorn-old-'))
try {
  if (!isFolder) checkOut(from, folder)
  const name = isFolder ? from : git('log', '-1', '--format=%h of %cs (%s)', from)
  console.log(`From ${name} with ${migrations(folder)} migrations to this version with ${migrations(ROOT)}.`)
  for (const root of [folder, ROOT])
    execFileSync(process.execPath, ['tools/build.mjs'], { cwd: root, stdio: 'inherit' })
  const errors = await upgrade(folder)
  for (const error of errors) console.log(`FAILED: ${error}`)
  if (errors.length === 0) console.log('No request failed, and everything was sent and completed once.')
  else process.exitCode = 1
} finally {
  if (!isFolder) fs.rmSync(folder, { recursive: true, force: true })
}
