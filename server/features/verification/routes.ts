/** Looking at an address over HTTP. */
import { route } from '../../platform/http/route.ts'
import type { Verification } from './actions.ts'
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
    handle: async (_ctx, { body }, { verification }: { verification: Verification }) => ({
      success: true,
      data: await verification.verifyAddress(body.email),
    }),
  }),
]
