import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer } from '../../mcp/server.ts'
import type { ApiCall } from '../../mcp/tool.ts'
import { unwrap } from '../../sdk/index.ts'
import type { Command } from '../command.ts'
import type { Connection } from '../connection.ts'

/** This file is bundled into server/dist. */
const HERE = new URL('.', import.meta.url)
const readVersion = () =>
  (JSON.parse(readFileSync(new URL('../package.json', HERE), 'utf8')) as { version: string }).version
const RESPOND_WITHIN_MS = 60_000

export const mcp: Command = {
  summary: 'Serve the Model Context Protocol on the standard input and output, for an assistant on this machine',
  options: { 'allow-writes': { summary: 'Also offer tools that send and change, as far as the key allows it' } },
  run: async ({ has, connection, posthorn }) => {
    const { key } = await unwrap(posthorn().request('GET /me'))
    const server = createMcpServer({
      version: readVersion(),
      call: callWith(connection()),
      scopes: key?.scopes ?? [],
      allowWrites: has('allow-writes'),
      docs: fileURLToPath(new URL('../../docs', HERE)),
    })
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve
      process.stdin.once('end', resolve)
    })
    await server.connect(new StdioServerTransport())
    await closed
  },
}

const callWith =
  ({ url, key }: Connection): ApiCall =>
  async (method, path, { query = {}, body } = {}) => {
    const address = new URL(url.replace(/\/$/, '') + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value))
    }
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        prefer: 'handling=strict',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(RESPOND_WITHIN_MS),
    })
    const text = await response.text()
    const isJson = String(response.headers.get('content-type')).startsWith('application/json')
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
