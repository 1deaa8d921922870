/** Tracks and lists events, and returns activity and statistics. */
import type { Call, Result } from './call.ts'
import { everyItem, withoutEnvelope } from './pages.ts'
import type { Answer, Body, Item, Query } from './shapes.ts'

type TrackedEvent = Answer<'POST /v1/track'>['data']
type Tracked = Pick<TrackedEvent, 'timestamp'> & Partial<TrackedEvent>

export const events = (call: Call, tracksWithKey: boolean) => {
  const trackWithPublicKey = (
    event: Body<'POST /v1/track'>,
    options: { idempotencyKey?: string } = {},
  ): Promise<Result<Tracked>> =>
    withoutEnvelope(
      call('POST /v1/track', { body: event, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }),
    )

  return {
    /** With a public key or an API key, it is `trackWithPublicKey`. */
    track: (event: Body<'POST /v1/track'>, options: { idempotencyKey?: string } = {}): Promise<Result<Tracked>> =>
      tracksWithKey ? trackWithPublicKey(event, options) : withoutEnvelope(call('POST /events/track', { body: event })),
    /**
     * Retried after connection errors with the same Idempotency-Key, so the event is recorded once. If only the response
     * was lost, the result has a timestamp and no IDs.
     */
    trackWithPublicKey,
    list: (query?: Query<'GET /events'>) => call('GET /events', { query }),
    all: (query?: Query<'GET /events'>) =>
      everyItem<Item<'GET /events'>>((cursor) => call('GET /events', { query: { limit: 100, ...query, cursor } })),
    ofContact: (contactId: string, query?: Query<'GET /events/contact/{contactId}'>) =>
      call('GET /events/contact/{contactId}', { path: { contactId }, query }),
    stats: (query?: Query<'GET /events/stats'>) => call('GET /events/stats', { query }),
    names: () => call('GET /events/names'),
    usage: (eventName: string) => call('GET /events/{eventName}/usage', { path: { eventName } }),
    /** Deletes all events with this name. */
    delete: (eventName: string) => call('DELETE /events/{eventName}', { path: { eventName } }),
  }
}

export const activity = (call: Call) => ({
  list: (query?: Query<'GET /activity'>) => call('GET /activity', { query }),
  all: (query?: Query<'GET /activity'>) =>
    everyItem<Item<'GET /activity'>>((cursor) => call('GET /activity', { query: { limit: 100, ...query, cursor } })),
  stats: (query?: Query<'GET /activity/stats'>) => call('GET /activity/stats', { query }),
  recentCount: (query?: Query<'GET /activity/recent-count'>) => call('GET /activity/recent-count', { query }),
  types: () => call('GET /activity/types'),
  upcoming: (query?: Query<'GET /activity/upcoming'>) => call('GET /activity/upcoming', { query }),
})

export const analytics = (call: Call) => ({
  timeseries: (query?: Query<'GET /analytics/timeseries'>) => call('GET /analytics/timeseries', { query }),
  topCampaigns: (query?: Query<'GET /analytics/top-campaigns'>) => call('GET /analytics/top-campaigns', { query }),
  campaignStats: (query?: Query<'GET /analytics/campaign-stats'>) => call('GET /analytics/campaign-stats', { query }),
  /** Emails by campaign, template, workflow or recipient domain. */
  breakdown: (query: Query<'GET /analytics/breakdown'>) => call('GET /analytics/breakdown', { query }),
  topEvents: (query?: Query<'GET /analytics/top-events'>) => call('GET /analytics/top-events', { query }),
})
