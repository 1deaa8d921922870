/**
 * The limit of signed mail on this machine: how many signatures all cores make, how many messages a bare sender
 * delivers to the same mail server, and both one after the other, because they share the cores.
 */
import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const SECONDS = 3
const CONNECTIONS = 10

export interface MailLimit {
  signaturesPerSecond: number
  /** Messages per second without signatures. */
  senderPerSecond: number
  /** Messages per second, signed and sent. */
  perSecond: number
}

/** `messageBytes` is about the size of the measured emails. */
export async function measureMailLimit(port: number, messageBytes: number): Promise<MailLimit> {
  const signaturesPerSecond = await signWithAllCores()
  const senderPerSecond = await sendBare(port, messageBytes)
  return { signaturesPerSecond, senderPerSecond, perSecond: oneAfterTheOther(signaturesPerSecond, senderPerSecond) }
}

/** The combined rate if each item takes both steps. */
export const oneAfterTheOther = (a: number, b: number): number => 1 / (1 / a + 1 / b)

async function signWithAllCores(): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const counts = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(path.join(import.meta.dirname, 'signing-alone.mjs'), {
      workerData: { privateKey, seconds: SECONDS },
    })
    return new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  })
  return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0) / SECONDS
}

/** Each connection writes the commands of a message at once, and the next ones when the message is accepted. */
async function sendBare(port: number, messageBytes: number): Promise<number> {
  const commands = 'MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n'
  const message = `Subject: bare\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(Math.ceil(messageBytes / 78))}.\r\n`
  const content = Buffer.from(message)
  let accepted = 0
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write('EHLO bench.test\r\n'))
    let [greeted, inData] = [false, false]
    let pending = ''
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      const lines = (pending + chunk.toString('latin1')).split('\r\n')
      pending = lines.pop()!
      for (const line of lines) {
        if (!greeted && line.startsWith('250 ')) {
          greeted = true
          socket.write(commands)
        } else if (line.startsWith('354')) {
          inData = true
          socket.write(content)
        } else if (inData) {
          inData = false
          accepted++
          socket.write(commands)
        }
      }
    })
    return socket
  })
  await sleep(1_000)
  const before = accepted
  await sleep(SECONDS * 1000)
  const perSecond = (accepted - before) / SECONDS
  for (const socket of sockets) socket.destroy()
  return perSecond
}
