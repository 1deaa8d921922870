/** The sunset rule over HTTP: its effect on all contacts, and on one of them. The rule itself is a setting of the project. */
import { z } from 'zod'
import { SUNSET_LIMITS } from '../../../kernel/sending/settings.ts'
import { idOf, route } from '../../../platform/http/route.ts'
import { ContactSunset, getSunset, previewSunset, SunsetPreview, sendAgain } from './sunset.ts'

const whole = ({ min, max }: { min: number; max: number }) =>
  z.coerce
    .number('Must be a whole number.')
    .int('Must be a whole number.')
    .min(min, `Must be at least ${min}.`)
    .max(max, `Must be at most ${max}.`)

const SunsetQuery = z.object({
  days: whole(SUNSET_LIMITS.days).meta({ description: 'Length of the period in days.' }),
  emails: whole(SUNSET_LIMITS.emails).meta({ description: 'The least marketing emails in the period.' }),
})

export const sunsetRoutes = [
  route({
    method: 'GET',
    path: '/contacts/sunset-preview',
    client: 'contacts.previewSunset',
    access: 'project',
    tag: 'Contacts',
    summary: 'Count the contacts that a sunset rule would stop',
    description:
      'For the project setting `sunset`, before you save it: how many of the contacts who can receive marketing email now would receive none.',
    query: SunsetQuery,
    replies: { 200: { description: 'The number.', schema: SunsetPreview } },
    handle: (ctx, { caller, query }) => previewSunset(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/contacts/{id}/sunset',
    client: 'contacts.sunset',
    access: 'project',
    tag: 'Contacts',
    summary: 'Get whether the sunset rule stops a contact',
    description:
      "By the project's setting `sunset` and what the contact has received. A contact that opens or clicks an earlier email is no longer stopped.",
    params: { id: idOf('contact') },
    replies: { 200: { description: 'Whether it is stopped, and since when.', schema: ContactSunset } },
    handle: (ctx, { caller, params }) => getSunset(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'POST',
    path: '/contacts/{id}/sunset/reset',
    client: 'contacts.resetSunset',
    access: 'project',
    tag: 'Contacts',
    summary: 'Send marketing email to a contact again',
    description:
      'The sunset rule counts only what the contact receives from now on. Changes neither the subscription nor suppressions.',
    params: { id: idOf('contact') },
    replies: { 200: { description: 'The contact is no longer stopped.', schema: ContactSunset } },
    handle: (ctx, { caller, params }) => sendAgain(ctx, caller.projectId, params.id),
  }),
]
