/**
 * `npm run capacity`: from the measured cost of an email, an event and a contact to machines, disk and money. The
 * measurements are in capacity.json; every measurement and assumption can be replaced by a flag, such as
 * `--cpu.deliverEmail.worker=0.5` or `--eventsPerEmail=5`.
 */
import { readFileSync } from 'node:fs'

interface Measurements {
  /** Milliseconds of processor time, by the process that spends it. */
  cpu: {
    acceptEmail: { api: number; postgres: number }
    deliverEmail: { worker: number; postgres: number }
    trackEvent: { api: number; postgres: number }
  }
  /** On disk, with indexes. */
  bytes: { email: number; body: number; event: number; contact: number }
}

const ASSUMPTIONS = {
  /** Events that are tracked for each email, in addition to those that Posthorn records. */
  eventsPerEmail: 2,
  /** Opens and clicks of an email, each of which is a request and an event. */
  reactionsPerEmail: 0.5,
  emailsPerContact: 10,
  /** The busiest hour, compared with the average. */
  peakFactor: 10,
  /** How busy a core may be in the busiest hour. */
  utilization: 0.5,
  /** EMAIL_RETENTION_DAYS and EVENT_RETENTION_DAYS. */
  retentionMonths: 12,
  /** BODY_RETENTION_DAYS. */
  bodyMonths: 3,
  /** How much of the disk is used by data, the rest by the write-ahead log, vacuuming and growth. */
  diskFill: 0.6,
  coresPerMachine: 4,
  /** The largest database server. Beyond it, there are several installations. */
  databaseCoresMax: 64,
  databaseTerabytesMax: 60,
  /** Dollars a month. Replace them with the prices of your provider. */
  pricePerCore: 20,
  pricePerGigabyte: 0.1,
}

const VOLUMES = [1e6, 1e7, 1e8, 1e9]
const SECONDS_PER_MONTH = 30 * 86_400

type Model = Measurements & typeof ASSUMPTIONS

interface Capacity {
  perSecond: number
  apiCores: number
  workerCores: number
  databaseCores: number
  gigabytes: number
}

function capacityFor(emails: number, m: Model): Capacity {
  const perSecond = (emails / SECONDS_PER_MONTH) * m.peakFactor
  const events = m.eventsPerEmail + m.reactionsPerEmail
  const cores = (ms: number) => (perSecond * ms) / 1000 / m.utilization
  const stored = emails * m.retentionMonths * (m.bytes.email + events * m.bytes.event)
  const bodies = emails * m.bodyMonths * m.bytes.body
  const contacts = (emails / m.emailsPerContact) * m.bytes.contact
  return {
    perSecond,
    apiCores: cores(m.cpu.acceptEmail.api + events * m.cpu.trackEvent.api),
    workerCores: cores(m.cpu.deliverEmail.worker),
    databaseCores: cores(m.cpu.acceptEmail.postgres + m.cpu.deliverEmail.postgres + events * m.cpu.trackEvent.postgres),
    gigabytes: (stored + bodies + contacts) / m.diskFill / 1e9,
  }
}

const count = (value: number) => Math.max(1, Math.round(value)).toLocaleString('en-US')
const oneDigit = (value: number) => (value < 10 ? Math.max(0.1, value).toFixed(1) : count(value))
const size = (gigabytes: number) =>
  gigabytes < 1000 ? `${oneDigit(gigabytes)} GB` : `${oneDigit(gigabytes / 1000)} TB`

/** Up to one busy core in total, one machine runs everything. */
function describeMachines({ apiCores, workerCores, databaseCores, gigabytes }: Capacity, m: Model) {
  if (apiCores + workerCores + databaseCores <= 1) return { text: 'one with 2 cores', cores: 2 }
  const machines = Math.max(2, Math.ceil((apiCores + workerCores) / m.coresPerMachine))
  const databases = Math.ceil(
    Math.max(databaseCores / m.databaseCoresMax, gigabytes / 1000 / m.databaseTerabytesMax, 1),
  )
  const databaseSize = Math.max(m.coresPerMachine, 2 ** Math.ceil(Math.log2(databaseCores / databases)))
  const database = databases === 1 ? 'a database' : `${databases} databases`
  return {
    text: `${machines} with ${m.coresPerMachine} cores, ${database} with ${databaseSize}`,
    cores: machines * m.coresPerMachine + databases * databaseSize,
  }
}

function row(emails: number, m: Model): string {
  const capacity = capacityFor(emails, m)
  const machines = describeMachines(capacity, m)
  const money = machines.cores * m.pricePerCore + capacity.gigabytes * m.pricePerGigabyte
  const cells = [
    count(emails),
    oneDigit(capacity.perSecond),
    oneDigit(capacity.apiCores),
    oneDigit(capacity.workerCores),
    oneDigit(capacity.databaseCores),
    machines.text,
    size(capacity.gigabytes),
    `$${count(money)}`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Sets a number by its path; a name that does not exist is an error. */
function setValue(model: object, flag: string): void {
  const [, name, text] = /^--([\w.]+)=(.+)$/.exec(flag) ?? []
  const path = name?.split('.') ?? []
  const last = path.pop()
  const parent = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], model)
  const values = parent as Record<string, unknown> | undefined
  if (!last || typeof values?.[last] !== 'number' || !(Number(text) > 0)) {
    throw new Error(`Invalid option ${flag}. Use --name=number, such as --eventsPerEmail=5 or --bytes.email=2000.`)
  }
  values[last] = Number(text)
}

const measurements = JSON.parse(readFileSync(new URL('capacity.json', import.meta.url), 'utf8')) as Measurements
const model: Model = { ...measurements, ...ASSUMPTIONS }
for (const flag of process.argv.slice(2)) setValue(model, flag)

const titles = [
  'emails per month',
  'peak emails/s',
  'API cores',
  'worker cores',
  'PostgreSQL cores',
  'machines',
  'disk',
]
const lines = [
  `| ${[...titles, 'cost per month'].join(' | ')} |`,
  `|${'---|'.repeat(titles.length + 1)}`,
  ...VOLUMES.map((emails) => row(emails, model)),
]
process.stdout.write(`${lines.join('\n')}\n`)
