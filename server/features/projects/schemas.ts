/** A project as its members see it. The secret key is shown whole only when it is made. */
import { z } from 'zod'

export const Project = z
  .object({
    id: z.uuid(),
    name: z.string(),
    publicKey: z.string(),
    secretKeyHint: z.string().meta({ description: 'The last characters of the secret key.' }),
    disabled: z.boolean(),
    disabledReason: z.string().nullable(),
    tracking: z.enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY']),
    language: z.string(),
    role: z
      .enum(['OWNER', 'ADMIN', 'MEMBER'])
      .nullable()
      .meta({ description: 'The role of the caller; null for a key.' }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Project' })

export const ProjectWithKeys = Project.extend({
  public: z.string(),
  secret: z.string().meta({ description: 'Shown only now. Keep it on your server.' }),
  secretKey: z.string(),
}).meta({ id: 'ProjectWithKeys' })

export const NewProject = z.object({
  name: z.string().trim().min(1, 'Must not be empty.').max(100, 'Must be at most 100 characters.'),
})
