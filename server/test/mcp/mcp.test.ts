/** The MCP server over HTTP and over stdio, with the official client. */
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSections, sectionsOf } from '../../../mcp/docs.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js')

let app: TestApp
let url: string
let secretKey: string
const opened: Client[] = []

beforeAll(async () => {
  app = await openTestApp()
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  secretKey = (await createProject(app)).secretKey
})
afterAll(async () => {
  for (const client of opened) await client.close()
  await app.close()
})

async function connect(key: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  opened.push(client)
  return client
}

const keyWith = async (...scopes: string[]): Promise<string> =>
  (await app.request('POST', '/api-keys', { key: secretKey, body: { name: 'MCP', scopes } })).body.key

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

interface ToolResult {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
}
const use = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as ToolResult

describe('/mcp', () => {
  it('offers about thirty tools, each with its hints, in less than 20 KB', async () => {
    const { tools } = await (await connect(secretKey)).listTools()
    expect(tools.length).toBeGreaterThan(25)
    expect(JSON.stringify({ tools }).length).toBeLessThan(20_000)
    for (const { annotations, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) })
      expect(description!.length).toBeGreaterThan(20)
    }
  })

  it('returns results of the types that each tool declares', async () => {
    const client = await connect(secretKey)
    const { tools } = await client.listTools() // from now on, the client validates results
    expect(tools.filter(({ outputSchema }) => !outputSchema).map(({ name }) => name)).toEqual(['call_api'])
    const draft = { subject: 'S', body: '<p>{{ name }}</p>' }
    const { structuredContent: contact } = await use(client, 'save_contact', { email: 'typed@example.org' })
    const { structuredContent: domains } = await use(client, 'list_domains')
    const calls: [string, Record<string, unknown>?][] = [
      ...['emails', 'suppressions', 'events', 'templates', 'segments', 'campaigns', 'workflows'].map(
        (noun): [string] => [`list_${noun}`],
      ),
      ['find_contacts'],
      ['contact_timeline', { id: contact!.id }],
      ['track_event', { email: 'typed@example.org', event: 'typed' }],
      ['preview_template', draft],
      ['save_template', { ...draft, name: 'Typed', from: 'me@example.com', type: 'TRANSACTIONAL' }],
      ['create_campaign', { ...draft, name: 'Typed', from: 'me@example.com', audienceType: 'ALL' }],
      ['audience_size', { audienceType: 'ALL' }],
      ['workflow_failures'],
      ['check_domain', { id: (domains!.data as { id: string }[])[0]!.id }],
      ['recent_activity'],
      ['statistics'],
      ['webhook_deliveries'],
      ['explain_email', { address: 'typed@example.org' }],
      ['delete_contact', { id: contact!.id, confirm: true }],
    ]
    for (const [name, args] of calls) {
      const { isError, content } = await use(client, name, args)
      expect([name, isError ? content : undefined]).toEqual([name, undefined])
    }
  })

  it('offers what the scopes of the key allow, and nothing that changes something to a reading key', async () => {
    const reading = await connect(await keyWith('emails:read', 'templates:read'))
    expect(await namesOf(reading)).toEqual([
      'list_emails',
      'get_email',
      'explain_email',
      'list_templates',
      'preview_template',
      'search_docs',
      'call_api',
    ])
    const { tools } = await reading.listTools()
    expect(tools.every(({ annotations }) => annotations!.readOnlyHint)).toBe(true)
    expect(await namesOf(await connect(await keyWith('send')))).toContain('send_email')
    await expect(use(reading, 'send_email', { to: 'a@example.org' })).rejects.toThrow('send_email')
    expect(await use(reading, 'call_api', { method: 'GET', path: '/contacts' })).toMatchObject({ isError: true })
  })

  it('tracks an event with properties that become contact fields only if that is chosen', async () => {
    const client = await connect(secretKey)
    const email = 'properties@example.org'
    const { structuredContent } = await use(client, 'track_event', { email, event: 'paid', data: { total: 5 } })
    const id = structuredContent!.contact
    const dataOf = async () => (await app.request('GET', `/contacts/${id}`, { key: secretKey })).body.data
    expect((await dataOf()) ?? {}).toEqual({})
    const events = await app.request('GET', `/events/contact/${id}`, { key: secretKey })
    expect(events.body.data[0]).toMatchObject({ name: 'paid', data: { total: 5 } })
    await use(client, 'track_event', { email, event: 'upgraded', data: { plan: 'pro' }, saveToContact: true })
    expect(await dataOf()).toEqual({ plan: 'pro' })
  })

  it('sends to one person, and to more only if that is confirmed', async () => {
    const client = await connect(secretKey)
    const email = { from: 'me@example.com', subject: 'Hello', body: '<p>Hi</p>' }
    const sent = await use(client, 'send_email', { to: 'ada@example.org', ...email })
    expect(sent.structuredContent).toMatchObject({ emails: [{ contact: { email: 'ada@example.org' } }] })
    const many = { to: ['b@example.org', 'c@example.org'], ...email }
    expect(await use(client, 'send_email', many)).toMatchObject({ isError: true })
    expect((await use(client, 'list_emails', { search: 'b@example.org' })).structuredContent).toMatchObject({
      total: 0,
    })
    expect((await use(client, 'send_email', { ...many, confirm: true })).isError).toBeFalsy()
    const explained = await use(client, 'explain_email', { address: 'ada@example.org' })
    expect(explained.structuredContent!.reasons).toContainEqual(expect.stringContaining('The last email'))
  })

  it('reports mistakes as results, with what to do', async () => {
    const client = await connect(secretKey)
    expect(await use(client, 'get_email', { id: 'nonsense' })).toMatchObject({ isError: true })
    expect(await use(client, 'list_emails', { unknown: 1 })).toMatchObject({ isError: true })
    const refused = await use(client, 'send_email', {
      to: 'a@example.org',
      from: 'me@unknown.example',
      subject: 'x',
      body: 'x',
    })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('unknown.example is not verified') }],
    })
    for (const path of ['/contacts/../templates', '/contacts?limit=1', 'contacts']) {
      expect(await use(client, 'call_api', { method: 'GET', path })).toMatchObject({ isError: true })
    }
    expect(await use(client, 'call_api', { method: 'DELETE', path: '/tags' })).toMatchObject({ isError: true })
  })

  it('has the guides and the templates as resources', async () => {
    const client = await connect(secretKey)
    const body = { name: 'Receipt', subject: 'S', body: '<p>B</p>', from: 'me@example.com', type: 'TRANSACTIONAL' }
    const template = (await app.request('POST', '/templates', { key: secretKey, body })).body
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['posthorn://docs/webhooks', 'posthorn://docs/migrate/resend']))
    const guide = await client.readResource({ uri: 'posthorn://docs/migrate/resend' })
    expect(guide.contents[0]).toMatchObject({ text: expect.stringMatching(/^# Move from Resend/) })
    const { contents } = await client.readResource({ uri: `posthorn://templates/${template.id}` })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ name: 'Receipt' })
    for (const uri of ['posthorn://docs/..', 'posthorn://docs/../package', 'posthorn://templates/../contacts']) {
      await expect(client.readResource({ uri })).rejects.toThrow()
    }
    const found = await use(client, 'search_docs', { query: 'verify webhook signature' })
    expect(found.structuredContent).toMatchObject({
      results: [{ page: 'webhooks' }, ...Array(4).fill(expect.anything())],
    })
  })

  it('refuses foreign origins and keys that do not exist, and has no stream', async () => {
    await expect(connect('sk_wrong')).rejects.toThrow()
    await expect(connect(secretKey, { origin: 'https://evil.example' })).rejects.toThrow('403')
    expect((await fetch(`${url}/mcp`)).status).toBe(405)
  })
})

it('posthorn mcp offers reading tools only, and more if that is allowed', async () => {
  const start = async (...more: string[]) => {
    const client = new Client({ name: 'test', version: '1' })
    const env = { PATH: process.env.PATH ?? '', POSTHORN_URL: url, POSTHORN_API_KEY: secretKey }
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...more], env }))
    opened.push(client)
    return client
  }
  const reading = await start()
  const names = await namesOf(reading)
  expect(names).toContain('list_emails')
  expect(names).not.toContain('send_email')
  expect((await use(reading, 'list_emails')).structuredContent).toHaveProperty('data')
  expect(await namesOf(await start('--allow-writes'))).toContain('send_email')
})

it('a search prefers sections that have the words in their heading', () => {
  const sections = sectionsOf(
    'keys',
    '# API keys\nText about secrets.\n## Rotate a key\nSo that the old one works longer.\n',
  )
  expect(findSections(sections, 'rotate key')[0]!.heading).toBe('Rotate a key')
  expect(findSections(sections, 'nothing matches')).toEqual([])
})
