/** Receivers for what other services tell us. */
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import type { SnsReceiver } from './sns.ts'

/** What SNS sends at most. */
const BYTES_MAX = 256 * 1024

export const feedbackRoutes = [
  route({
    method: 'POST',
    path: '/webhooks/sns',
    access: 'open',
    raw: true,
    tag: 'Receivers',
    summary: 'Take a message of Amazon SNS',
    description:
      'For topics to which SES reports deliveries, bounces, complaints, opens and clicks. Messages are believed by their signature. Each is taken once, in any order; a new subscription is confirmed by itself.',
    bodyLimitBytes: () => BYTES_MAX,
    replies: { 200: { description: 'Taken, now or before', schema: z.object({ success: z.literal(true) }) } },
    refusals: [400, 403, 413, 503],
    handle: async (_ctx, { body, facts }, { snsReceiver }: { snsReceiver: SnsReceiver }) => {
      await snsReceiver.take(String(body), facts.headers['x-amz-sns-rawdelivery'] === 'true')
      return { success: true }
    },
  }),
]
