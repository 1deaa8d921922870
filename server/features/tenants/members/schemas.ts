/** Members of a project, and invitations. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'

const role = z.enum(['OWNER', 'ADMIN', 'MEMBER'])

/** OWNER is parsed and then refused with a message: a project has exactly one owner. */
const wantedRole = role.meta({ description: "ADMIN or MEMBER. OWNER can't be assigned." })

export const NewMember = z.object({ email: emailAddress, role: wantedRole.default('MEMBER') })

export const Editing = z.object({
  kind: z.enum(['templates', 'layouts', 'campaigns', 'segments', 'forms', 'workflows']),
  id: z.guid().transform((id) => id.toLowerCase()),
})

export const Editors = z
  .object({
    others: z
      .array(z.object({ id: z.uuid(), email: storedEmail }))
      .meta({ description: 'Other members who have it open in an editor.' }),
  })
  .meta({ id: 'Editors' })

export const MemberChange = z.object({ role: wantedRole })

export const Member = z
  .object({ userId: z.uuid(), email: storedEmail, role, createdAt: z.date() })
  .meta({ id: 'Member' })

export const Members = z.object({ data: z.array(Member) })

export const NewInvitation = NewMember

export const Invitation = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    role,
    invitedBy: z
      .string()
      .nullable()
      .meta({ description: 'Email address of the person who sent the invitation; null if an API key did.' }),
    createdAt: z.date(),
    expiresAt: z.date(),
  })
  .meta({ id: 'Invitation' })

export const Invitations = z.object({ data: z.array(Invitation) })

export const InvitationLink = z.object({ url: z.string(), expiresAt: z.date() })
