/** A thread of mail-limit.ts that only signs: reports how many RSA signatures one core made in the given time. */
import { createPrivateKey, sign } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

const WARM_UP_MS = 500
const privateKey = createPrivateKey(workerData.privateKey)
const headers = Buffer.alloc(600, 'x')

function signFor(ms) {
  let signed = 0
  for (const endAt = performance.now() + ms; performance.now() < endAt; signed++) sign('sha256', headers, privateKey)
  return signed
}

signFor(WARM_UP_MS)
parentPort.postMessage(signFor(workerData.seconds * 1000))
