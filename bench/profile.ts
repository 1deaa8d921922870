/**
 * `npm run bench -- profile <suite>`: every process of the service writes a CPU profile when it exits, and PostgreSQL records the
 * time of each statement and how many updates were HOT. service.ts calls this if BENCH_PROFILE names the folder for the files.
 */
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { SERVICE_NAME, SUPERUSER } from '../server/platform/database/embedded/cluster.ts'

/** Undefined unless this run is a profile. */
export const profileFolder = (): string | undefined => process.env.BENCH_PROFILE

/** An empty folder in bench/profiles. */
export async function makeProfileFolder(suite: string): Promise<string> {
  const folder = path.join(import.meta.dirname, 'profiles', suite)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}

/** Worker processes and threads get the same arguments. */
export const profileArguments = (folder: string): string[] => ['--cpu-prof', `--cpu-prof-dir=${folder}`]

const LIBRARY = "shared_preload_libraries = 'pg_stat_statements'"
const configurationOf = (dataDir: string) => path.join(dataDir, 'postgres/postgresql.auto.conf')

/** Statements can be recorded only after a restart with this setting. */
export const recordsStatements = async (dataDir: string): Promise<boolean> =>
  (await readFile(configurationOf(dataDir), 'utf8').catch(() => '')).includes(LIBRARY)

export const enableStatements = (dataDir: string): Promise<void> => appendFile(configurationOf(dataDir), `${LIBRARY}\n`)

async function asSuperuser<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl.replace(`//${SERVICE_NAME}:`, `//${SUPERUSER}:`) })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** The library can't be loaded by a command that the service runs, so this is called after its start. */
export const startRecording = (databaseUrl: string): Promise<void> =>
  asSuperuser(databaseUrl, async (client) => {
    await client.query('create extension if not exists pg_stat_statements')
    await client.query('select pg_stat_statements_reset(), pg_stat_reset()')
  })

const STATEMENTS = `
  select calls, round(total_exec_time) as ms, round((total_exec_time / calls)::numeric, 3) as ms_each, rows, wal_bytes / 1024 as wal_kb,
    regexp_replace(query, '\\s+', ' ', 'g') as statement
  from pg_stat_statements order by total_exec_time desc limit 200`

const TABLES = `
  select relname as table, n_tup_ins as inserted, n_tup_upd as updated, n_tup_hot_upd as hot, n_tup_del as deleted
  from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0 order by n_tup_ins + n_tup_upd + n_tup_del desc limit 25`

/** Called before the service stops. */
export const writeStatements = (databaseUrl: string, folder: string, pid: number): Promise<void> =>
  asSuperuser(databaseUrl, async (client) => {
    const { rows: statements } = await client.query(STATEMENTS)
    const { rows: tables } = await client.query(TABLES)
    await writeFile(path.join(folder, `statements-${pid}.json`), JSON.stringify({ statements, tables }, null, 2))
    console.log(`\nStatements of the service with the process ${pid}, by time`)
    console.table(statements.slice(0, 20).map((row) => ({ ...row, statement: row.statement.slice(0, 70) })))
    console.table(tables)
  })

interface CpuProfile {
  nodes: Array<{ id: number; callFrame: { functionName: string; url: string; lineNumber: number } }>
  samples: number[]
  timeDeltas: number[]
}

const FUNCTIONS_SHOWN = 25
const WAITING = new Set(['(idle)', '(program)'])

/** Prints the functions by the time in their own code, for each process and thread; Chrome and editors open the files. */
export async function printProfiles(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.cpuprofile')).sort()) {
    const times = timesByFunction(JSON.parse(await readFile(path.join(folder, name), 'utf8')))
    const busyMs = [...times].reduce((sum, [what, ms]) => (WAITING.has(what) ? sum : sum + ms), 0)
    const [, , , pid, thread] = name.split('.') // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
    console.log(`\nProcess ${pid}, thread ${thread}: ${Math.round(busyMs)} ms busy`)
    const longest = [...times].filter(([what]) => !WAITING.has(what)).sort(([, a], [, b]) => b - a)
    for (const [what, ms] of longest.slice(0, FUNCTIONS_SHOWN)) {
      console.log(
        `${Math.round(ms).toString().padStart(8)} ms ${((ms / busyMs) * 100).toFixed(1).padStart(5)} %  ${what}`,
      )
    }
  }
  console.log(`\nThe profiles are in ${folder}.`)
}

function timesByFunction({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  samples.forEach((node, i) => {
    const name = names.get(node)!
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  })
  return times
}

const nameOf = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string =>
  functionName.startsWith('(') ? functionName : `${functionName || 'anonymous'} ${path.basename(url)}:${lineNumber + 1}`
