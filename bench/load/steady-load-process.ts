/**
 * The process started by steady-load.ts: sends requests at an even rate, whether or not earlier ones were answered, and
 * measures each from the moment at which it was due. So a service that stalls can't hide it by slowing the load.
 */
import { Agent, request } from 'node:http'
import type { LoadReport } from './load.ts'
import type { SteadyPlan } from './steady-load.ts'

const TICK_MS = 5

const report = (message: LoadReport) => process.send!(message)

process.once('disconnect', () => process.exit()) // the parent process has exited

process.once('message', (plan: SteadyPlan) => {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections })
  const latenciesMs: number[] = []
  let failures = 0
  let example = ''
  let sent = 0
  let ended = 0
  const startedAt = performance.now()
  const measuredFrom = startedAt + plan.warmUpSeconds * 1000
  const endsAt = measuredFrom + plan.seconds * 1000
  setTimeout(() => report({ event: 'measuring' }), plan.warmUpSeconds * 1000)

  function end(dueAt: number, problem: string | undefined): void {
    ended++
    if (problem) {
      failures++
      example ||= problem
    } else if (dueAt >= measuredFrom) latenciesMs.push(performance.now() - dueAt)
    if (sent === ended && performance.now() >= endsAt)
      report({ event: 'done', latenciesMs, answered: ended, failures, example })
  }

  function send(body: string, dueAt: number): void {
    const call = request(plan.url, { agent, method: 'POST', headers: plan.headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () =>
        end(dueAt, response.statusCode === 200 ? undefined : `status ${response.statusCode} ${text}`),
      )
    })
    call.once('error', (error) => end(dueAt, error.message))
    call.end(body)
  }

  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.floor(((Math.min(now, endsAt) - startedAt) / 1000) * plan.perSecond)
    while (sent < due) send(plan.bodies[sent % plan.bodies.length]!, startedAt + (sent++ / plan.perSecond) * 1000)
    if (now >= endsAt) clearInterval(timer)
  }, TICK_MS)
})
