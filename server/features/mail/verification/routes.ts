/** Address verification over HTTP. */
import { route } from '../../../platform/http/route.ts'
import type { Verification } from './actions.ts'
import { AddressToVerify, VerifiedAddress } from './schemas.ts'

export const verificationRoutes = [
  route({
    method: 'POST',
    path: '/v1/verify',
    client: 'verification.verify',
    access: 'project',
    readOnly: true,
    scope: 'verify',
    tag: 'Emails',
    summary: 'Verify an email address',
    description:
      'No email is sent to the address. A well-formed address always gets a 200 response within 5 seconds. If DNS is unavailable, `valid` is false and `reasons` explains why.',
    body: AddressToVerify,
    replies: { 200: { description: 'The result of the checks.', schema: VerifiedAddress } },
    handle: async (_ctx, { body }, { verification }: { verification: Verification }) => ({
      success: true,
      data: await verification.verifyAddress(body.email),
    }),
  }),
]
