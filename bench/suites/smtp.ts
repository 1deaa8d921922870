/**
 * SMTP measured with the tools of Postfix, as a user would measure it: smtp-source into the submission port, compared
 * with smtp-source into smtp-sink; and delivery to smtp-sink, compared with the mail server of the other suites.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../child.ts'
import { median } from '../measure.ts'
import { atLeast, printTable, ratio, showBars, whole } from '../report.ts'
import { startService, waitForIdleQueue } from '../service.ts'
import { startSink } from '../sink.ts'
import { measureDelivery } from './delivery.ts'

const ROUNDS = 3
const SESSIONS = 20
const MESSAGES = Math.min(5_000, Number(process.env.BENCH_EMAILS ?? 5_000))
const MESSAGE_BYTES = 1_000
const DELIVERED = Math.min(20_000, Number(process.env.BENCH_EMAILS ?? 20_000))

export async function benchSmtp(dataDir: string): Promise<void> {
  const source = findTool('smtp-source')
  const sink = findTool('smtp-sink')
  if (!source || !sink) {
    console.log(
      '\nsmtp: skipped, because smtp-source and smtp-sink are not installed. On Debian: apt-get install postfix',
    )
    return
  }
  const postfixSink = await startPostfixSink(sink)
  try {
    await benchSubmission(dataDir, source, postfixSink.port)
    await benchOutgoing(dataDir, postfixSink.port)
  } finally {
    postfixSink.stop()
  }
}

function findTool(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']
  return folders.map((folder) => path.join(folder, name)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function startPostfixSink(command: string) {
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [] // it refuses to run as root
  const child = spawn(command, [...user, `127.0.0.1:${port}`, '100'], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let attempts = 0; !(await isOpen(port)); attempts++) {
    if (attempts === 100) throw new Error('smtp-sink did not respond.')
    await sleep(50)
  }
  return { port, stop: () => child.kill() }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })

/** smtp-source can't sign in: a proxy does so for each of its connections and then passes on bytes. */
async function benchSubmission(dataDir: string, source: string, sinkPort: number): Promise<void> {
  const port = await freePort()
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn', SUBMISSION_SMTP_PORT: String(port) } })
  const proxy = fork(path.join(import.meta.dirname, '../submission-proxy.ts'), [
    String(port),
    `\0posthorn\0${service.keys.secretKey}`.replaceAll('\0', '\\0'),
  ])
  try {
    const [{ port: proxyPort }] = (await once(proxy, 'message')) as [{ port: number }]
    const into = { sink: [] as number[], submission: [] as number[] }
    for (let round = 1; round <= ROUNDS; round++) {
      into.sink.push(await sendFrom(source, sinkPort))
      into.submission.push(await sendFrom(source, proxyPort))
      await waitForIdleQueue(service)
    }
    const [limit, ours] = [median(into.sink), median(into.submission)]
    printTable(
      `smtp-source, ${SESSIONS} sessions, median of ${ROUNDS} rounds of ${whole(MESSAGES)} messages of ${MESSAGE_BYTES} bytes`,
      ['', 'messages/s', 'ratio', 'target'],
      [
        ['into smtp-sink', whole(limit), '1.00', ''],
        ['into the submission port', whole(ours), ratio(ours, limit), showBars([atLeast(ours / limit, 0.3, 'ratio')])],
      ],
    )
  } finally {
    proxy.kill()
    await service.stop()
  }
}

async function sendFrom(command: string, port: number): Promise<number> {
  const addresses = ['-f', 'shop@example.com', '-t', 'reader@example.org', '-N']
  const amounts = ['-s', String(SESSIONS), '-m', String(MESSAGES), '-l', String(MESSAGE_BYTES)]
  const startedAt = performance.now()
  const child: ChildProcess = spawn(command, ['-d', ...addresses, ...amounts, `127.0.0.1:${port}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`smtp-source ended with ${code}.`)
  return MESSAGES / ((performance.now() - startedAt) / 1000)
}

async function benchOutgoing(dataDir: string, postfixPort: number): Promise<void> {
  const sink = await startSink()
  try {
    const to = async (port: number) =>
      (await measureDelivery(dataDir, `smtp://127.0.0.1:${port}?tls=off`, [], DELIVERED)).perSecond
    const turns = [await to(sink.port), await to(postfixPort), await to(postfixPort), await to(sink.port)] as const
    const [own, postfix] = [(turns[0] + turns[3]) / 2, (turns[1] + turns[2]) / 2]
    printTable(
      `${whole(DELIVERED)} emails from the outbox, signed, two turns each`,
      ['', 'emails/s', 'ratio', 'target'],
      [
        ['to the mail server of the other suites', whole(own), '1.00', ''],
        ['to smtp-sink', whole(postfix), ratio(postfix, own), showBars([atLeast(postfix / own, 0.95, 'ratio')])],
      ],
    )
  } finally {
    sink.stop()
  }
}
