/** The least a Fastify service can do: parse a JSON body, answer with JSON. What the HTTP layer alone costs. */
import Fastify from 'fastify'

const server = Fastify()
server.get('/ready', async () => ({ ready: true }))
server.post('/', async (request) => ({ success: true, data: { got: Object.keys(request.body).length } }))
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
