/** Runs the mail server of smtp-sink.ts in a separate process. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { SinkReport } from './smtp-sink.ts'

export async function startSink(onProbe: (probe: string, at: number) => void = () => {}) {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'smtp-sink.ts'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  child.on('message', (report: SinkReport) => {
    if ('probe' in report) onProbe(report.probe, report.at)
  })
  return {
    port,
    party: { name: 'mail server', pid: child.pid! },
    async counts() {
      child.send('count')
      for (;;) {
        const [report] = (await once(child, 'message')) as [SinkReport]
        if ('messages' in report) return report
      }
    },
    stop: () => child.kill(),
  }
}
