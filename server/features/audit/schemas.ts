/** An administrative act, as the audit log shows it. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'

const ACTS = [
  'project.created',
  'project.changed',
  'project.disabled',
  'project.enabled',
  'project.reset',
  'project.deleted',
  'keys.regenerated',
  'member.added',
  'member.role-changed',
  'member.removed',
  'invitation.made',
  'invitation.withdrawn',
  'invitation.accepted',
  'domain.added',
  'domain.removed',
  'billing-limits.changed',
  'two-factor.enabled',
  'two-factor.disabled',
] as const

export type Act = (typeof ACTS)[number]

export const AuditQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  act: z.enum(ACTS).optional().meta({ description: 'Return only entries with this action.' }),
})

export const AuditEntry = z
  .object({
    id: z.uuid(),
    act: z.string().meta({ examples: ['member.added'] }),
    actor: z.object({
      type: z.enum(['USER', 'KEY', 'SYSTEM']),
      userId: z.uuid().nullable(),
      email: z.string().nullable().meta({ description: "The user's email address at the time of the action." }),
    }),
    details: z.record(z.string(), z.unknown()),
    ip: z.string().nullable().meta({ description: 'IP address of the request.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'AuditEntry' })

export const AuditPage = cursorPageOf(AuditEntry)
