/**
 * Two API machines and two worker machines, each in its own network namespace, behind HAProxy, with PgBouncer in front of
 * PostgreSQL. A worker and an API machine lose their network in the middle of a campaign, and get it back later. Needs root and
 * Debian's packages `iproute2`, `haproxy` and `pgbouncer`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, eventually, type ServiceProcess } from '../service-process.ts'
import { CONNECTIONS_MAX, openInstallation } from './installation.ts'

const BRIDGE = 'posthorn0'
/** Only between these namespaces: nothing is routed further. */
const HOST = '10.97.0.1'
const API_PORT = 8080
const MAIL_PORT = 2525
const DATABASE_PORT = 6432
const SERVICE_PORT = 3000
const READERS = 3_000
const SINGLE_EMAILS = 300
const AWAY_MS = 40_000
const RETURNED_MS = 15_000
const FINISHES_WITHIN_MS = 180_000

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })

interface Machine {
  name: string
  address: string
  /** Runs a command on this machine. */
  through: string[]
  unplug(): void
  plugIn(): void
  remove(): void
}

function addMachine(name: string, number: number): Machine {
  const [outside, address] = [`ph-${name}`, `10.97.0.${10 + number}`]
  run('ip', 'netns', 'add', outside)
  run('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', outside)
  run('ip', 'link', 'set', outside, 'master', BRIDGE, 'up')
  const through = ['ip', 'netns', 'exec', outside]
  run('ip', '-n', outside, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) run('ip', '-n', outside, 'link', 'set', device, 'up')
  return {
    name,
    address,
    through,
    unplug: () => run('ip', 'link', 'set', outside, 'down'),
    plugIn: () => run('ip', 'link', 'set', outside, 'up'),
    remove: () => run('ip', 'netns', 'delete', outside),
  }
}

function addNetwork(): void {
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  run('ip', 'address', 'add', `${HOST}/24`, 'dev', BRIDGE)
  run('ip', 'link', 'set', BRIDGE, 'up')
}

const pgBouncerSettings = ({ port, password }: URL) => `
[databases]
posthorn = host=127.0.0.1 port=${port} dbname=posthorn user=posthorn password=${password}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${DATABASE_PORT}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 80
max_client_conn = 200
tcp_keepidle = 5
tcp_keepintvl = 3
tcp_keepcnt = 3
tcp_user_timeout = 15000
`

const haProxySettings = (apis: Machine[], sinkPort: string) => `
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend api
  mode http
  bind ${HOST}:${API_PORT}
  default_backend apis
backend apis
  mode http
  balance roundrobin
  option httpchk GET /ready
  option redispatch
  retry-on conn-failure
  default-server check inter 500 fall 2 rise 1
${apis.map(({ name, address }) => `  server ${name} ${address}:${SERVICE_PORT}`).join('\n')}
listen mail
  mode tcp
  bind ${HOST}:${MAIL_PORT}
  server sink 127.0.0.1:${sinkPort}
`

async function check(): Promise<string[]> {
  const installation = await openInstallation()
  const { sink, query, count } = installation
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-machines-'))
  fs.chmodSync(folder, 0o755)
  const programs: ChildProcess[] = []
  const machines: Machine[] = []
  const errors: string[] = []
  try {
    addNetwork()
    for (const name of ['api1', 'api2', 'worker1', 'worker2']) machines.push(addMachine(name, machines.length + 1))
    const [api1, api2, worker1, worker2] = machines as [Machine, Machine, Machine, Machine]
    const write = (name: string, text: string) => {
      fs.writeFileSync(path.join(folder, name), text)
      return path.join(folder, name)
    }
    const bouncer = write('pgbouncer.ini', pgBouncerSettings(new URL(installation.databaseUrl)))
    const balancer = write('haproxy.cfg', haProxySettings([api1, api2], new URL(sink.url).port))
    programs.push(spawn('pgbouncer', ['-q', '-u', 'postgres', bouncer], { stdio: 'inherit' }))
    programs.push(spawn('haproxy', ['-q', '-db', '-f', balancer], { stdio: 'inherit' }))

    const start = ({ through }: Machine, env: Record<string, string>): Promise<ServiceProcess> =>
      installation.start(
        {
          HOST: '0.0.0.0',
          PORT: String(SERVICE_PORT),
          DATABASE_URL: `postgres://posthorn@${HOST}:${DATABASE_PORT}/posthorn`,
          DATABASE_POOL_SIZE: '10',
          ...env,
        },
        { through },
      )
    const mail = { ROLE: 'worker', MAIL_URL: `smtp://${HOST}:${MAIL_PORT}?tls=off&pool=${CONNECTIONS_MAX}` }
    await start(api1, { ROLE: 'api' }) // creates the first project
    await start(api2, { ROLE: 'api' })
    await Promise.all([start(worker1, mail), start(worker2, mail)])
    const { secretKey: key } = installation.firstRun()
    const balanced = { baseUrl: `http://${HOST}:${API_PORT}` }
    const direct = (machine: Machine) => ({ baseUrl: `http://${machine.address}:${SERVICE_PORT}` })
    await eventually('both API machines serve', 120_000, async () => {
      const replies = await Promise.all([api1, api2].map((one) => call(direct(one), 'GET', '/ready')))
      return replies.every(({ status }) => status === 200)
    })

    /** As a careful client: again with the same key until there is an answer. */
    const surely = (what: string, url: string, body: object) =>
      eventually(what, 120_000, async () => {
        const headers = { 'idempotency-key': what }
        const reply = await call(balanced, 'POST', url, { key, body, headers }).catch(() => undefined)
        return reply && (reply.status < 300 || reply.body.error?.details?.originalStatusCode < 300)
      })
    const email = (to: string) => ({ to, from: 'us@example.com', subject: 'Receipt', body: '<p>Thanks</p>' })
    const csv = ['email', ...Array.from({ length: READERS }, (_, i) => `reader-${i}@example.org`)].join('\n')
    const form = new FormData()
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv')
    const authorization = `Bearer ${key}`
    await fetch(`${balanced.baseUrl}/contacts/import`, { method: 'POST', headers: { authorization }, body: form })
    await eventually('the contacts are imported', 120_000, async () => {
      return (await count('select count(*) from contacts where subscribed')) >= READERS
    })

    const news = { name: 'News', subject: 'News', body: '<p>News</p>', from: 'us@example.com', audienceType: 'ALL' }
    const campaign = await call(balanced, 'POST', '/campaigns', { key, body: news })
    await call(balanced, 'POST', `/campaigns/${campaign.body.id}/send`, { key })
    await sink.untilAccepted(READERS / 10)
    worker1.unplug()
    console.log(`worker1 has no network, after ${sink.accepted.size} messages`)
    const sending = (async () => {
      for (let i = 0; i < SINGLE_EMAILS; i++) {
        await surely(`customer-${i}`, '/v1/send', email(`customer-${i}@example.org`))
        await sleep(AWAY_MS / SINGLE_EMAILS)
      }
    })()
    await sleep(AWAY_MS / 4)
    api1.unplug()
    console.log('api1 has no network')
    await sleep(AWAY_MS / 2)
    api1.plugIn()
    console.log('api1 has a network again')
    await sending
    await eventually('every email is sent', FINISHES_WITHIN_MS, async () => {
      return (await count("select count(*) from emails where status::text in ('PENDING', 'SENDING')")) === 0
    }).catch((error: Error) => errors.push(error.message))
    const before = [...sink.accepted.values()].reduce((sum, times) => sum + times, 0)
    worker1.plugIn()
    console.log(`worker1 has a network again, after ${sink.accepted.size} messages`)
    await sleep(RETURNED_MS)

    const total = [...sink.accepted.values()].reduce((sum, times) => sum + times, 0)
    const copies = total - sink.accepted.size
    console.log(`${sink.accepted.size} messages, ${copies} copies`)
    if (total !== before) errors.push(`worker1 sent ${total - before} messages that worker2 had taken over`)
    if (sink.recipients.size !== READERS + SINGLE_EMAILS)
      errors.push(`${sink.recipients.size} recipients instead of ${READERS + SINGLE_EMAILS}`)
    if (copies > CONNECTIONS_MAX) errors.push(`${copies} copies; worker1 had at most ${CONNECTIONS_MAX} in flight`)
    const [sent] = await query<{ status: string }>('select status::text from campaigns')
    if (sent!.status !== 'SENT') errors.push(`the campaign is ${sent!.status}`)

    const other = await call(balanced, 'POST', '/v1/send', { key, body: email('last@example.org') })
    if (other.status !== 200) errors.push(`POST /v1/send returned ${other.status}`)
    await eventually('the last email is sent', 120_000, () => sink.recipients.has('last@example.org')).catch(
      (error: Error) => errors.push(error.message),
    )
    return errors
  } finally {
    await installation.close()
    for (const program of programs) program.kill()
    for (const machine of machines) machine.remove()
    run('ip', 'link', 'delete', BRIDGE)
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const errors = await check()
for (const error of errors) console.error(error)
process.exit(errors.length > 0 ? 1 : 0)
