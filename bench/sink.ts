/** The mail server of smtp-sink.ts as a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { SinkReport } from './smtp-sink.ts'

export async function startSink() {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'smtp-sink.ts'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    party: { name: 'mail server', pid: child.pid! },
    async ask() {
      const answer = once(child, 'message')
      child.send('how much?')
      return (await answer)[0] as Extract<SinkReport, { messages: number }>
    },
    stop: () => child.kill(),
  }
}
