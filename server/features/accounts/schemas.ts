/** A person's account. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'

export const Credentials = z.object({
  email: emailAddress,
  password: z.string().min(8, 'Must be at least 8 characters.').max(200, 'Must be at most 200 characters.'),
})

/** Signing in does not say what a password must look like: a wrong one is just wrong. */
export const LoginCredentials = z.object({ email: emailAddress, password: z.string().max(1000) })

export const User = z
  .object({ id: z.uuid(), email: storedEmail, emailVerified: z.boolean(), createdAt: z.date() })
  .meta({ id: 'User' })

export const SignedIn = z.object({ success: z.literal(true), data: User.omit({ createdAt: true }) })
