/** The process started by load.ts: receives a plan, sends requests and reports the latencies after the warm-up. */
import autocannon from 'autocannon'
import type { LoadPlan, LoadReport } from './load.ts'

const report = (message: LoadReport) => process.send!(message)

process.once('disconnect', () => process.exit()) // the parent process has exited

process.once('message', (plan: LoadPlan) => {
  let next = 0
  let measuring = false
  let failures = 0
  let answered = 0
  let example = ''
  const latenciesMs: number[] = []
  const fail = (what: string) => {
    failures++
    example ||= what
  }

  const instance = autocannon(
    {
      url: plan.url,
      method: 'POST',
      headers: plan.headers,
      connections: plan.bodies.length,
      duration: 3_600, // stopped below, because its own duration starts before its clients are created
      setupClient: (client) => client.setRequests(plan.bodies[next++]!.map((body) => ({ body }))),
    },
    () => undefined,
  )
  instance.on('reqError', (error: Error) => fail(error.message))
  instance.on('response', (_client, status, _bytes, responseMs) => {
    answered++
    if (status !== 200) fail(`status ${status}`)
    else if (measuring) latenciesMs.push(responseMs)
  })
  instance.once('start', () => {
    setTimeout(() => {
      measuring = true
      report({ event: 'measuring' })
    }, plan.warmUpSeconds * 1000)
    setTimeout(
      () => {
        measuring = false
        report({ event: 'done', latenciesMs, answered, failures, example })
        instance.stop()
      },
      (plan.warmUpSeconds + plan.seconds) * 1000,
    )
  })
})
