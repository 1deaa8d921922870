/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. The tools call the API in this process with the
 * key of the request, as if the caller had made the requests.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiCall } from '../../../mcp/tool.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { VERSION } from '../version.ts'

const BODY_MAX = 1_000_000

export function addMcp(server: FastifyInstance, ctx: Context, docs: string): void {
  server.post('/mcp', { bodyLimit: BODY_MAX }, async (request, reply) => {
    refuseForeignOrigin(ctx, request)
    const call = callAs(server, request)
    const me = await call('GET', '/me')
    if (me.status !== 200) return reply.code(me.status).send(me.body)
    // Loaded with the first request, because most installations have none.
    const { WebStandardStreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
    )
    const { createMcpServer } = await import('../../../mcp/server.ts')
    const mcp = createMcpServer({
      version: VERSION,
      call,
      scopes: (me.body as { key: { scopes: string[] } }).key.scopes,
      allowWrites: true,
      docs,
    })
    // Without a session, a response is one JSON document.
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    })
    await mcp.connect(transport)
    try {
      const response = await transport.handleRequest(asWebRequest(ctx, request), { parsedBody: request.body })
      return await send(reply, response)
    } finally {
      await mcp.close()
    }
  })
  // There is nothing to stream and no session to end.
  server.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  })
}

/** A web page must not use the MCP server of a person who has it on their own machine. */
function refuseForeignOrigin(ctx: Context, { headers }: FastifyRequest): void {
  const { origin } = headers
  if (origin === undefined) return
  const own = [new URL(ctx.baseUrl).host, headers.host]
  if (!URL.canParse(origin) || !own.includes(new URL(origin).host)) {
    throw forbidden('Requests from other websites are refused.')
  }
}

const callAs =
  (server: FastifyInstance, { headers, ip }: FastifyRequest): ApiCall =>
  async (method, path, { query = {}, body } = {}) => {
    const filled = Object.entries(query).filter(([, value]) => value !== undefined)
    const reply = await server.inject({
      method: method as 'GET',
      url: path,
      query: Object.fromEntries(filled.map(([name, value]) => [name, String(value)])),
      remoteAddress: ip,
      headers: {
        host: headers.host,
        authorization: headers.authorization ?? '',
        'user-agent': headers['user-agent'] ?? '',
        prefer: 'handling=strict',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    return { status: reply.statusCode, body: isJson ? reply.json() : reply.body }
  }

function asWebRequest(ctx: Context, { headers }: FastifyRequest): Request {
  const relevant = ['accept', 'content-type', 'mcp-protocol-version']
  const given = relevant.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
  )
  return new Request(new URL('/mcp', ctx.baseUrl), { method: 'POST', headers: given })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text()
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(text)
}
