/** Looking at an address over HTTP. */
import { route } from '../../platform/http/route.ts'
import { AddressToVerify, VerifiedAddress } from './schemas.ts'

export const verificationRoutes = [
  route({
    method: 'POST',
    path: '/v1/verify',
    access: 'project',
    readOnly: true,
    tag: 'Emails',
    summary: 'Look at an email address before writing to it',
    description:
      'Nothing is sent to it. A well-formed address is always answered with 200 within 5 seconds; when the DNS does not answer, `valid` is false and `reasons` says why.',
    body: AddressToVerify,
    replies: { 200: { description: 'What was found', schema: VerifiedAddress } },
    handle: async (ctx, { body }) => {
      const { verifyAddress } = await import('./actions.ts') // brings lists of 120,000 domain names
      return { success: true, data: await verifyAddress(ctx, body.email) }
    },
  }),
]
