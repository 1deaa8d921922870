/** Turns of owners in a pool of threads. The jobs end when the test opens their gate, so nothing depends on time. */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './threads.ts'

interface Request {
  gate: Int32Array
}

const THREAD = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, request }) => {
    Atomics.wait(request.gate, 0, 0)
    parentPort.postMessage({ kind: 'done', id, result: id })
  })
  parentPort.postMessage({ kind: 'ready' })`

/** The same, but it says where its processor time is. With a gate that is -1, it computes until it is stopped. */
const THREAD_WITH_FOLDER = `
  const folder = '/proc/' + require('node:fs').readlinkSync('/proc/thread-self')
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, request }) => {
    while (request.gate[0] === -1);
    Atomics.wait(request.gate, 0, 0)
    parentPort.postMessage({ kind: 'done', id, result: id })
  })
  parentPort.postMessage({ kind: 'ready', folder })`

let pool: ThreadPool<Request, number>
let started = 0
afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
})

function open(options: Partial<ThreadPoolOptions<Request>> = {}): void {
  started = 0
  pool = createThreadPool({
    start: () => {
      started++
      return new Worker(THREAD, { eval: true })
    },
    threads: 2,
    deadlineMs: 600_000,
    limits: {},
    ...options,
  })
}

/** Jobs that run until `open` is called. */
function runGated(owner: string, count: number) {
  const gates = Array.from({ length: count }, () => new Int32Array(new SharedArrayBuffer(4)))
  const done: number[] = []
  const all = gates.map((gate, i) => pool.run({ gate }, owner).then(() => done.push(i)))
  return {
    done,
    all,
    open(i: number) {
      Atomics.store(gates[i]!, 0, 1)
      Atomics.notify(gates[i]!, 0)
      return all[i]!
    },
  }
}

it('an owner whose jobs never end delays no other: one thread more starts for the others', async () => {
  open()
  const hog = runGated('hog', 20)
  for (const owner of ['a', 'b', 'c']) await runGated(owner, 1).open(0)
  expect(hog.done).toEqual([])
  expect(started).toBe(3)
  const closed = Promise.allSettled(hog.all)
  await pool.close()
  expect((await closed).every(({ status }) => status === 'rejected')).toBe(true)
})

it('while others wait, a thread that becomes free is theirs, and one owner alone uses all threads', async () => {
  open()
  const hog = runGated('hog', 4)
  const [a, b] = [runGated('a', 1), runGated('b', 1)]
  await hog.open(0)
  await a.open(0)
  await b.open(0) // and not the hog's third job, which has waited for longer
  for (const i of [1, 2, 3]) await hog.open(i)
  expect(hog.done).toEqual([0, 1, 2, 3])
})

it('the deadline depends on the request, and the thread of a job that exceeds it is replaced', async () => {
  open({ threads: 1, deadlineMs: ({ gate }) => (gate[0] === 0 ? 50 : 600_000) })
  const endless = runGated('a', 1)
  await expect(endless.all[0]).rejects.toThrow('The job took too long and was stopped.')
  const gate = new Int32Array(new SharedArrayBuffer(4)).fill(1)
  expect(await pool.run({ gate }, 'a')).toBeGreaterThan(0)
})

describe.runIf(existsSync('/proc/thread-self/schedstat'))(
  'where the system tells the processor time of a thread',
  () => {
    const start = () => new Worker(THREAD_WITH_FOLDER, { eval: true })

    async function advance(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += 500) {
        vi.advanceTimersByTime(500)
        await setImmediate() // in which the pool looks at its jobs
      }
    }

    it('a job that gets no processor exceeds its deadline only after ten times as long', async () => {
      open({ threads: 1, deadlineMs: 1_000, start })
      const first = runGated('a', 1)
      await first.open(0) // so that the thread is ready
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const second = runGated('a', 1)
      await advance(9_000)
      await second.open(0)
      const third = runGated('a', 1)
      const stopped = expect(third.all[0]).rejects.toThrow('The job took too long and was stopped.')
      await advance(11_000)
      await stopped
    })

    it('a job that waits for the network exceeds its deadline by waiting', async () => {
      open({ threads: 1, deadlineMs: 1_000, mostlyWaits: true, start })
      await runGated('a', 1).open(0)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const stopped = expect(runGated('a', 1).all[0]).rejects.toThrow('The job took too long and was stopped.')
      await advance(1_000)
      await stopped
    })

    it('a job that computes for longer than its deadline is stopped', async () => {
      open({ threads: 1, deadlineMs: 50, start })
      const gate = new Int32Array(new SharedArrayBuffer(4)).fill(-1)
      await expect(pool.run({ gate }, 'a')).rejects.toThrow('The job took too long and was stopped.')
    })
  },
)

it('a request that cannot be copied fails alone', async () => {
  open({ threads: 1 })
  const broken = pool.run({ gate: (() => 0) as unknown as Int32Array }, 'a')
  const gate = new Int32Array(new SharedArrayBuffer(4)).fill(1)
  const next = pool.run({ gate }, 'a')
  await expect(broken).rejects.toThrow('could not be cloned')
  expect(await next).toBeGreaterThan(0)
})

it('a thread ends after a minute without work, and the next job starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  open()
  await runGated('a', 1).open(0)
  vi.advanceTimersByTime(59_000)
  await runGated('a', 1).open(0)
  vi.advanceTimersByTime(59_000)
  await runGated('a', 1).open(0)
  expect(started).toBe(1)
  vi.advanceTimersByTime(61_000)
  await runGated('a', 1).open(0)
  expect(started).toBe(2)
})
