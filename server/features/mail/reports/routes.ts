/** Webhooks for notifications of other services. */
import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import type { SnsReceiver } from './sns.ts'

/** The maximum size of an SNS message. */
const BYTES_MAX = 256 * 1024

export const reportRoutes = [
  route({
    method: 'POST',
    path: '/webhooks/sns',
    access: 'open',
    raw: true,
    tag: 'Incoming webhooks',
    summary: 'Receive an Amazon SNS message',
    description:
      'For topics to which SES reports deliveries, bounces, complaints, opens and clicks. Messages are verified by their signature. Each is processed once, in any order; a new subscription is confirmed automatically.',
    bodyLimitBytes: () => BYTES_MAX,
    replies: { 200: { description: 'Accepted now or earlier.', schema: z.object({ success: z.literal(true) }) } },
    refusals: [400, 403, 413, 503],
    handle: async (_ctx, { body, facts }, { snsReceiver }: { snsReceiver: SnsReceiver }) => {
      await snsReceiver.take(String(body), facts.headers['x-amz-sns-rawdelivery'] === 'true')
      return { success: true }
    },
  }),
]
