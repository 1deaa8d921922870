/** Shared by tests of workflows: creating a workflow in one call, advancing time, and an HTTP server that records requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

export type Project = Awaited<ReturnType<typeof createProject>>

export const GONE = '01890000-0000-7000-8000-000000000000'
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE
export const TEMPLATE = { name: 'T', subject: 'Hi {{name}}', body: '<p>B</p>', from: 'hello@example.com' }

/** A step, and where it leads: the number of another step, or one for each branch. */
export type StepSpec = [type: string, config: object, next?: number | Record<string, number>]

export async function openFixture(env: Record<string, string> = {}) {
  const app = await openTestApp(env)
  const project = await createProject(app)
  const ask = (method: string, path: string, body?: unknown, key = project.secretKey) =>
    app.request(method, path, { key, body })

  /** Creates a workflow with these steps, enabled by default. */
  async function createWorkflow(
    given: { triggerType?: string; [field: string]: unknown },
    steps: StepSpec[],
    enabled = true,
  ) {
    const { triggerType = 'EVENT', ...fields } = given
    const { body: workflow } = await ask('POST', '/workflows', { name: 'W', ...fields })
    const path = `/workflows/${workflow.id}`
    const ids: string[] = []
    for (const [type, config] of steps) {
      const { status, body } = await ask('POST', `${path}/steps`, { type, config })
      if (status !== 201) throw new Error(`${type}: ${JSON.stringify(body.error)}`)
      ids.push(body.id)
    }
    for (const [i, [, , next]] of steps.entries()) {
      const targets = typeof next === 'number' ? [[null, next] as const] : Object.entries(next ?? {})
      for (const [branch, to] of targets) {
        const { status, body } = await ask('POST', `${path}/transitions`, {
          fromStepId: ids[i],
          toStepId: ids[to],
          branch,
        })
        if (status !== 201) throw new Error(JSON.stringify(body.error))
      }
    }
    const { status, body } = await ask('PATCH', path, { triggerType, enabled })
    if (status !== 200) throw new Error(JSON.stringify(body.error))
    return { id: workflow.id as string, path, ids }
  }

  /** The path of a new workflow without steps. */
  const create = async (fields: object = {}): Promise<string> =>
    `/workflows/${(await ask('POST', '/workflows', { name: 'W', ...fields })).body.id}`
  const addStep = async (path: string, type = 'EXIT', config: object = {}): Promise<string> =>
    (await ask('POST', `${path}/steps`, { type, config })).body.id
  const link = (path: string, fromStepId: string, toStepId: string, branch?: string | null) =>
    ask('POST', `${path}/transitions`, { fromStepId, toStepId, branch })
  const template = async (fields: object = {}): Promise<string> =>
    (await ask('POST', '/templates', { ...TEMPLATE, ...fields })).body.id

  /** Starts an execution manually and returns its path. */
  async function start(workflow: { path: string }, contactId: string, context?: object) {
    const { status, body } = await ask('POST', `${workflow.path}/executions`, { contactId, context })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return `${workflow.path}/executions/${body.id}`
  }
  const read = async (path: string) => (await ask('GET', path)).body

  const contact = async (email: string, fields: object = {}): Promise<string> =>
    (await ask('POST', '/contacts', { email, ...fields })).body.id

  const track = (email: string, event: string, data?: object, key = project.publicKey) =>
    app.request('POST', '/v1/track', { key, body: { email, event, data } })

  /** Executions of a workflow, the oldest first, each with its steps. */
  async function executions({ path }: { path: string }) {
    const { body } = await ask('GET', `${path}/executions?pageSize=1000`)
    const found = []
    for (const { id } of body.data.reverse()) found.push((await ask('GET', `${path}/executions/${id}`)).body)
    return found
  }

  /** Moves the clock, runs the job that sets alarms and then all jobs that are due. */
  async function advanceTime(ms: number) {
    app.clock.forward(ms)
    await app.jobs['set-workflow-alarms']({}, { attempt: 1, at: app.clock.now() })
    await app.drain()
  }

  return {
    app,
    project,
    ask,
    createWorkflow,
    create,
    addStep,
    link,
    template,
    start,
    read,
    contact,
    track,
    executions,
    advanceTime,
  }
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
}

/** A server on loopback that receives webhooks. */
export async function openReceiver() {
  const received: Received[] = []
  let answer: (reply: ServerResponse, request: Received) => void = (reply) => reply.end('ok')
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      received.push({ method, path, headers, text: Buffer.concat(parts).toString() })
      answer(reply, received.at(-1)!)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(next: typeof answer) {
      answer = next
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Counts rows of a table, for what no endpoint returns. */
export const countRows = async (app: TestApp, table: string, where = 'true'): Promise<number> =>
  (await app.pool.query(`select count(*) from ${table} where ${where}`)).rows[0].count
