/** An administrative action in the audit log. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'

const AUDIT_ACTIONS = [
  'project.created',
  'project.changed',
  'project.disabled',
  'project.enabled',
  'project.reset',
  'project.deleted',
  'project.exported',
  'keys.regenerated',
  'key.created',
  'key.changed',
  'key.rotated',
  'key.deleted',
  'member.added',
  'member.role-changed',
  'member.removed',
  'invitation.made',
  'invitation.link-created',
  'invitation.withdrawn',
  'invitation.accepted',
  'domain.added',
  'domain.removed',
  'webhook-endpoint.created',
  'webhook-endpoint.changed',
  'webhook-endpoint.deleted',
  'webhook-endpoint.disabled',
  'webhook-endpoint.secret-rotated',
  'topic.created',
  'topic.changed',
  'topic.deleted',
  'form.created',
  'form.changed',
  'form.deleted',
  'suppression.added',
  'suppression.removed',
  'suppressions.imported',
  'email.rescheduled',
  'email.canceled',
  'experiment.changed',
  'experiment.decided',
  'experiment.deleted',
  'billing-limits.changed',
  'two-factor.enabled',
  'two-factor.disabled',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AuditQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  act: z.enum(AUDIT_ACTIONS).optional().meta({ description: 'Return only entries with this action.' }),
})

export const AuditEntry = z
  .object({
    id: z.uuid(),
    act: z.string().meta({ examples: ['member.added'] }),
    actor: z.object({
      type: z.enum(['user', 'key', 'system']),
      id: z.uuid().nullable().meta({ description: 'The ID of the user or of the API key. Null for the secret key.' }),
      name: z.string().nullable().meta({
        description: "The user's email address, or the name of the API key, at the time of the action.",
      }),
      userId: z.uuid().nullable().meta({ description: 'The same as `id` of a user.' }),
      email: z.string().nullable().meta({ description: 'The same as `name` of a user.' }),
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'What the action was about. After a change, `before` has the previous values of the changed fields.',
    }),
    ip: z.string().nullable().meta({ description: 'IP address of the request.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'AuditEntry' })

export const AuditPage = cursorPageOf(AuditEntry)
