/** A project for each test of a file, and the requests that tests of campaigns share. */
import { expect } from 'vitest'
import { useProject } from '../use-project.ts'

const NEWS = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }

export function useCampaigns(env: Record<string, string> = {}) {
  const fixture = useProject(env)
  const { call } = fixture

  return {
    get app() {
      return fixture.app
    },
    get project() {
      return fixture.project
    },
    call,
    upsert: async (email: string, more: object = {}) => (await call('POST', '/contacts', { email, ...more })).body.id,
    create: async (body: object = {}) => (await call('POST', '/campaigns', { ...NEWS, ...body })).body.id as string,
    get: async (id: string) => (await call('GET', `/campaigns/${id}`)).body,
    stats: async (id: string) => (await call('GET', `/campaigns/${id}/stats`)).body,
    recipients: async (id: string, query = '') => (await call('GET', `/campaigns/${id}/recipients${query}`)).body,
    /** Sends a campaign, runs the queue, and returns the response to the request. */
    async sendNow(id: string) {
      const reply = await call('POST', `/campaigns/${id}/send`)
      expect(reply.status).toBe(200)
      await fixture.app.drain()
      return reply.body
    },
    /** Many contacts at once; only their number matters. */
    addContacts: (count: number) =>
      fixture.app.pool.query(
        `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
         select $1, gen_random_uuid(), 'many' || n || '@example.org', true, true, '{}', now(), now() from generate_series(1, $2::int) n`,
        [fixture.project.id, count],
      ),
  }
}
