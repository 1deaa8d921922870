/** The Python client against a listening service. Skipped where Python is not installed. */
import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../clients/python')
const hasPython = spawnSync('python3', ['--version']).status === 0
const test = it.skipIf(!hasPython)

let app: TestApp
let url: string
let key: string

beforeAll(async () => {
  app = await openTestApp()
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  key = (await createProject(app)).secretKey
})
afterAll(() => app.close())

/** What the program prints, as JSON. */
async function run(program: string, env: Record<string, string> = {}): Promise<unknown> {
  const code = `import json, os\nfrom posthorn import Posthorn, PosthornError, InvalidSignature, verify\nposthorn = Posthorn()\n${program}`
  const { stdout } = await promisify(execFile)('python3', ['-c', code], {
    cwd: FOLDER,
    env: { PATH: process.env.PATH, POSTHORN_URL: url, POSTHORN_SECRET_KEY: key, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  return JSON.parse(stdout)
}

test('the Python client sends, reads, changes and deletes with the names of the routes', async () => {
  const printed = await run(`
sent = posthorn.emails.send(to="ada@example.org", from_="me@example.com", subject="Hi", body="<p>Hi</p>", tags={"a": "b"})
contact = posthorn.contacts.upsert(email="bob@example.org", data={"plan": "pro"})
changed = posthorn.contacts.update(contact["id"], data={"plan": None})
found = posthorn.contacts.list(search="bob", limit=1)
posthorn.contacts.delete(contact["id"])
posthorn.templates.upsert("Hello/World", subject="S", from_="me@example.com", body="<p>B</p>", type="TRANSACTIONAL")
imported = posthorn.contacts.import_(file=b"email\\nfile@example.org\\n")
print(json.dumps({
  "email": len(sent["data"]["emails"]), "data": changed["data"], "found": found["data"][0]["email"],
  "names": [one["name"] for one in posthorn.templates.list()["data"]], "job": "jobId" in imported,
}))`)
  expect(printed).toEqual({ email: 1, data: {}, found: 'bob@example.org', names: ['Hello/World'], job: true })
})

test('the Python client sends an email once for the same idempotency key, and raises what the API refuses', async () => {
  const printed = await run(`
email = dict(to="once@example.org", from_="me@example.com", subject="Hi", body="B", idempotency_key="receipt-1")
ids = {posthorn.emails.send(**email)["data"]["emails"][0]["email"] for _ in range(2)}
try:
    posthorn.emails.send(to="not an address", from_="me@example.com", subject="Hi", body="B")
except PosthornError as error:
    refused = [error.status, error.code, error.errors[0]["field"], error.docs_url.split("/")[-1]]
template = posthorn.templates.create(name="N", subject="S", from_="me@example.com", body="B")
posthorn.templates.update(template["id"], subject="T", unchanged_since=template["updatedAt"])
try:
    posthorn.templates.update(template["id"], subject="U", unchanged_since="2020-01-01T00:00:00.000Z")
except PosthornError as error:
    refused.append(error.status)
try:
    posthorn.contacts.get("..")
except ValueError:
    refused.append("segment")
print(json.dumps([len(ids), refused]))`)
  expect(printed).toEqual([1, [422, 'VALIDATION_ERROR', 'to', 'VALIDATION_ERROR', 412, 'segment']])
})

test('the Python client retries when it is safe, with the same idempotency key', async () => {
  const keys: unknown[] = []
  const busy = createServer((request, response) => {
    keys.push([request.method, request.headers['idempotency-key']])
    response.writeHead(keys.length % 3 === 0 ? 200 : 503, { 'content-type': 'application/json' }).end('{"data": 1}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const busyUrl = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  const printed = await run(
    `
posthorn.emails.send(to="a@example.org", from_="me@example.com", subject="S", body="B")
try:
    posthorn.segments.compute("one")
except PosthornError as error:
    print(json.dumps(error.status))`,
    { POSTHORN_URL: busyUrl },
  )
  busy.close()
  expect(printed).toBe(503)
  expect(keys.map((one) => (one as string[])[0])).toEqual(['POST', 'POST', 'POST', 'POST'])
  expect(new Set(keys.slice(0, 3).map((one) => (one as string[])[1])).size).toBe(1)
})

test('the Python client verifies webhooks', async () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`
  const body = '{"type":"email.bounce"}'
  const now = new Date()
  const headers = {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Webhook-Signature': `v1,b2xk ${new Webhook(secret).sign('msg_1', now, body)}`,
  }
  const printed = await run(
    `
body, headers, secret = os.environ["BODY"], json.loads(os.environ["HEADERS"]), os.environ["SECRET"]
results = [verify(body.encode(), headers, secret)["type"]]
for wrong in [(body + " ", headers), (body, {**headers, "Webhook-Timestamp": "1"}), (body, {})]:
    try:
        verify(*wrong, secret)
    except InvalidSignature:
        results.append("refused")
print(json.dumps(results))`,
    { BODY: body, HEADERS: JSON.stringify(headers), SECRET: secret },
  )
  expect(printed).toEqual(['email.bounce', 'refused', 'refused', 'refused'])
})
