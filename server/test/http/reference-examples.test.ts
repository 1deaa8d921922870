/**
 * The examples of the API reference run as they are pasted: with curl, Node.js and, where it is installed, Python, each
 * against a project of its own. Requests that need a person's session or a token from an email are not included.
 */
import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { requestExample } from '../../platform/openapi/api-reference-example.ts'
import { type LanguageName, writeExample } from '../../platform/openapi/api-reference-languages.ts'
import { openApiDocument } from '../../platform/openapi/openapi.ts'
import { EXAMPLES } from '../gate/gate-examples.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'

const run = promisify(execFile)

/** A PNG file of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let app: TestApp
let baseUrl: string

beforeAll(async () => {
  app = await openTestApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  await signUp(app, 'grace@example.com') // joins the projects
  baseUrl = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

/** What the state of the project doesn't allow: the request is understood, and refused for this reason. */
const REFUSED: Record<string, number> = {
  'GET /contacts/import/{jobId}': 404, // the job is a bulk change
  'POST /events/import': 422, // a file of contacts
  'POST /contacts/{id}/confirmation': 409, // subscribed
  'POST /emails/{id}/resend': 409, // already delivered
  'PATCH /emails/{id}': 409, // not scheduled
  'POST /emails/{id}/cancel': 409,
  'PATCH /compat/resend/emails/{id}': 422,
  'POST /compat/resend/emails/{id}/cancel': 422,
  'POST /compat/postmark/email/withTemplate': 422, // no such template
  'POST /segments/{id}/compute': 400, // a STATIC segment
  'POST /campaigns/{id}/pause': 409, // not being sent
  'POST /campaigns/{id}/resume': 409,
  'POST /campaigns/{id}/retry-failed': 409,
  'POST /campaigns/{id}/follow-up': 409,
  'POST /campaigns/{id}/versions/{number}/restore': 409, // canceled by another example
  'PUT /campaigns/{id}/experiment': 409,
  'GET /campaigns/{id}/experiment': 404,
  'DELETE /campaigns/{id}/experiment': 404,
  'POST /campaigns/{id}/experiment/winner': 404,
  'POST /campaigns/feed-preview': 422, // no such host
  'PUT /campaigns/{id}/recurrence': 409, // not a draft
  'GET /campaigns/{id}/recurrence': 404,
  'DELETE /campaigns/{id}/recurrence': 404,
  'POST /campaigns/{id}/recurrence/pause': 404,
  'POST /campaigns/{id}/recurrence/resume': 404,
  'GET /campaigns/{id}/recurrence/occurrences': 404,
  'POST /workflows/{id}/executions/{executionId}/retry': 409, // not failed
  'POST /workflows/{id}/steps/{stepId}/executions/move': 422, // to the same step
}

/**
 * The stream doesn't end, payments need an account with Stripe, forms need more than files, and without its project no
 * other example works.
 */
const LEFT_OUT = [
  /^GET \/activity\/stream/,
  /^POST \/compat\/mailgun\//,
  /\/checkout$|portal|invoices/,
  /^DELETE \/users\/@me\/projects\/\{id\}$/,
]

/** In this order, because one needs what the next deletes. */
const LATE = [
  'DELETE /segments/{id}/members',
  'DELETE /workflows/{id}/draft',
  'DELETE /workflows/{id}/executions/{executionId}',
  'DELETE /workflows/{id}/transitions/{transitionId}',
  'DELETE /workflows/{id}/steps/{stepId}',
  'POST /workflows/{id}/executions/cancel-all',
  'PUT /workflows/{id}/graph',
]
const LAST = [
  'POST /contacts/bulk-delete',
  'POST /users/@me/projects/{id}/reset',
  'POST /users/@me/projects/{id}/regenerate-keys',
]

interface Example {
  name: string
  code: string
}

function examplesIn(language: LanguageName): Example[] {
  const document = openApiDocument(routes, { version: '1.0.0', baseUrl })
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const scheme = Object.keys(operation.security[0] ?? {})[0]
      if (scheme !== 'secretKey' && scheme !== 'publicKey') return []
      if (LEFT_OUT.some((pattern) => pattern.test(name))) return []
      return [{ name, code: writeExample(requestExample(document, path, method, operation), language) }]
    }),
  )
  const rank = ({ name }: Example) => {
    if (LATE.includes(name)) return 100 + LATE.indexOf(name)
    if (LAST.includes(name)) return 300 + LAST.indexOf(name)
    return name.startsWith('GET') ? 0 : name.startsWith('DELETE') ? 200 : 1
  }
  return all.sort((a, b) => rank(a) - rank(b))
}

/** A project with one of everything, as environment variables. */
async function createVariables(): Promise<Record<string, string>> {
  const project = await createProject(app)
  const call = async (method: string, path: string, body?: unknown) =>
    (await app.request(method, path, { key: project.secretKey, body })).body
  const make = (path: string, body?: unknown) => call('POST', path, body)
  const content = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@example.com' }
  const contact = await make('/contacts', { email: 'ada@example.org', data: { plan: 'pro' } })
  await make('/events/track', { email: 'ada@example.org', event: 'paid' })
  const template = await make('/templates', { name: 'T', ...content })
  const campaign = await make('/campaigns', { name: 'C', ...content, audienceType: 'ALL' })
  const layout = await make('/layouts', EXAMPLES['POST /layouts'])
  const blocks = await make('/saved-blocks', EXAMPLES['POST /saved-blocks'])
  const segment = await make('/segments', { name: 'S', type: 'STATIC' })
  const workflow = await make('/workflows', { name: 'W' })
  const step = async () =>
    (await make(`/workflows/${workflow.id}/steps`, { type: 'DELAY', config: { amount: 1, unit: 'days' } })).id
  const steps = [await step(), await step()]
  const ends = { fromStepId: steps[0], toStepId: steps[1] }
  await make(`/workflows/${workflow.id}/transitions`, ends)
  await call('PATCH', `/workflows/${workflow.id}`, { triggerType: 'MANUAL', enabled: true, allowReentry: true })
  const graph = await call('GET', `/workflows/${workflow.id}`)
  const published = await call('PUT', `/workflows/${workflow.id}/graph`, { steps: graph.steps, transitions: [ends] })
  const guest = await make('/contacts', { email: 'waiting@example.org' })
  const execution = await make(`/workflows/${workflow.id}/executions`, { contactId: guest.id })
  const loose = await step()
  const attachments = [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }]
  const sent = await make('/v1/send', { to: 'ada@example.org', ...content, attachments })
  await make('/topics', { key: 'events', name: 'Events' })
  const topic = await make('/topics', { key: 'old', name: 'Old' })
  const form = await make('/forms', { name: 'Newsletter' })
  await make('/suppressions', { email: 'gone@example.org' })
  const member = await signUp(app)
  await make(`/projects/${project.id}/members`, { email: member.email, role: 'MEMBER' })
  const invitation = await make(`/projects/${project.id}/invitations`, { email: 'new@example.org', role: 'MEMBER' })
  const bulk = await make('/contacts/bulk-subscribe', { contactIds: [contact.id] })
  const domain = await make('/domains', { domain: 'other.example' })
  const apiKey = await make('/api-keys', { name: 'A key', scopes: ['send'] })
  const endpoint = await make('/webhook-endpoints', { url: 'http://127.0.0.1:9/', eventTypes: ['*'] })
  await make(`/webhook-endpoints/${endpoint.id}/test`, {}) // a private address, which is never called
  const log = await call('GET', `/webhook-endpoints/${endpoint.id}/deliveries`)
  await app.drain()
  await app.services.requestLog.flush()
  const requests = await call('GET', '/requests')
  const credentials = { key: project.secretKey, field: 'image' }
  const uploaded = await uploadFile(app, '/uploads/image', Buffer.from(PIXEL, 'base64'), credentials)
  const file = path.join(app.ctx.settings.DATA_DIR, 'file.csv')
  await writeFile(file, 'email\nimported@example.org\n')
  const image = path.join(app.ctx.settings.DATA_DIR, 'image.png')
  await writeFile(image, Buffer.from(PIXEL, 'base64'))
  return {
    POSTHORN_SECRET_KEY: project.secretKey,
    POSTHORN_PUBLIC_KEY: project.publicKey,
    PROJECT_ID: project.id,
    CONTACT_ID: contact.id,
    TEMPLATE_ID: template.id,
    ID: template.id,
    NAME: template.name,
    SLUG: 'welcome',
    LAYOUT_ID: layout.id,
    SAVED_BLOCK_ID: blocks.id,
    CAMPAIGN_ID: campaign.id,
    SEGMENT_ID: segment.id,
    WORKFLOW_ID: workflow.id,
    STEP_ID: loose,
    FROM_STEP_ID: steps[1]!,
    TO_STEP_ID: loose,
    TRANSITION_ID: published.transitions[0].id,
    EXECUTION_ID: execution.id,
    NUMBER: '1',
    EMAIL_ID: sent.data.emails[0].email,
    N: '0',
    EVENT_NAME: 'paid',
    FIELD: 'plan',
    JOB_ID: bulk.jobId,
    EMAIL: 'gone@example.org',
    DOMAIN_ID: domain.id,
    USER_ID: member.id,
    INVITATION_ID: invitation.id,
    API_KEY_ID: apiKey.id,
    WEBHOOK_ENDPOINT_ID: endpoint.id,
    TOPIC_ID: topic.id,
    FORM_ID: form.id,
    DELIVERY_ID: log.data[0].id,
    REQUEST_ID: requests.data[0].id,
    FILE: file,
    IMAGE: image,
    IMAGE_ID: uploaded.body.id,
  }
}

/** Runs all examples one after another in one process, and returns the status of each response. */
const RUNNERS: Partial<Record<LanguageName, (examples: Example[], env: Record<string, string>) => Promise<string[]>>> =
  {
    async curl(examples, env) {
      const quiet = `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' --max-time 20 "$@"; }`
      const { stdout } = await run('sh', ['-c', [quiet, ...examples.map(({ code }) => code)].join('\n')], {
        env: { ...process.env, ...env },
      })
      return stdout.trim().split('\n')
    },
    async node(examples, env) {
      const script = examples.map(({ code }) => `data:text/javascript,${encodeURIComponent(code)}`)
      const runner = `const log = console.log
      console.log = (status) => log(status)
      for (const url of ${JSON.stringify(script)}) await import(url)`
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', runner], {
        env: { ...process.env, ...env },
      })
      return stdout.trim().split('\n')
    },
    async python(examples, env) {
      const runner = `
import json, sys, urllib.error
for code in json.load(open(sys.argv[1])):
    try:
        exec(code, {"print": lambda status, *text: sys.stdout.write(f"{status}\\n")})
    except urllib.error.HTTPError as error:
        sys.stdout.write(f"{error.code}\\n")`
      const list = path.join(app.ctx.settings.DATA_DIR, 'examples.json')
      await writeFile(list, JSON.stringify(examples.map(({ code }) => code)))
      const { stdout } = await run('python3', ['-c', runner, list], { env: { ...process.env, ...env } })
      return stdout.trim().split('\n')
    },
  }

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const COMMANDS = { curl: 'curl', node: process.execPath, python: 'python3' } as const

it.each(Object.entries(COMMANDS).filter(([, command]) => isInstalled(command)))(
  'the examples in %s are accepted by the service',
  async (language) => {
    const name = language as keyof typeof COMMANDS
    const examples = examplesIn(name).filter(({ code }) => name !== 'python' || !code.startsWith('curl'))
    const statuses = await RUNNERS[name]!(examples, await createVariables())
    expect(statuses).toHaveLength(examples.length)
    const isExpected = (example: Example, status = '') =>
      REFUSED[example.name] ? status === String(REFUSED[example.name]) : status.startsWith('2')
    const unexpected = examples.flatMap((example, i) =>
      isExpected(example, statuses[i]) ? [] : [`${example.name}: ${statuses[i]}`],
    )
    expect(unexpected).toEqual([])
    expect(examples.length).toBeGreaterThan(100)
  },
  120_000,
)
