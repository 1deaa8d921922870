/** The minimum a Fastify service can do: parse a JSON body and respond with JSON. Shows the cost of the HTTP layer. */
import Fastify from 'fastify'

const server = Fastify()
server.get('/ready', async () => ({ ready: true }))
server.post('/', async (request) => ({ success: true, data: { got: Object.keys(request.body).length } }))
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
