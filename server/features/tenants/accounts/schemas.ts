/** A user's account, and the requests to sign up and sign in. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'

const newPassword = z
  .string()
  .min(8, 'Must be at least 8 characters long.')
  .max(200, 'Must be at most 200 characters long.')

/** Sign-in doesn't check the form of a password: an invalid one is simply wrong. */
const password = z.string().max(1000)

const token = z.string().max(200).meta({ description: 'The token from the link in the email.' })

const code = z.string().max(100).meta({ description: 'A code from the authenticator app, or a recovery code.' })

export const Credentials = z.object({
  email: emailAddress,
  password: newPassword,
  invitation: token.optional().meta({
    description: 'Token of an invitation sent to this address. You join its project, and the address is confirmed.',
  }),
})

export const LoginCredentials = z.object({
  email: emailAddress,
  password,
  code: code.optional().meta({
    description:
      'Required if two-factor authentication is enabled: a code from the authenticator app, or a recovery code.',
  }),
})

const language = z
  .enum(['en', 'de', 'fr', 'es', 'pt'])
  .nullable()
  .meta({ description: 'The language of the dashboard. Null: the dashboard uses the language of the browser.' })

export const User = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    emailVerified: z.boolean(),
    operator: z.boolean().meta({ description: 'Whether you are an operator of this installation.' }),
    language,
    createdAt: z.date(),
  })
  .meta({ id: 'User' })

export const UserChanges = z.object({ language: language.optional() })

export const SignedIn = z.object({
  success: z.literal(true),
  data: User.omit({ createdAt: true, operator: true, language: true }),
})

export const Success = z.object({ success: z.literal(true) })

export const VerificationRequest = z
  .object({ email: emailAddress.optional().meta({ description: 'Not required with a session.' }) })
  .optional()

export const PasswordResetRequest = z.object({ email: emailAddress })

export const EmailVerification = z.object({ token })

/** `newPassword` is accepted for `password`. */
export const PasswordReset = z
  .object({
    token,
    password: newPassword.optional(),
    newPassword: newPassword.optional().meta({ description: 'Alias of `password`.' }),
  })
  .transform((body, issues) => {
    const chosen = body.password ?? body.newPassword
    if (chosen !== undefined) return { token: body.token, password: chosen }
    const params = { code: 'invalid_type' }
    issues.addIssue({ code: 'custom', path: ['password'], message: 'This field is required.', params })
    return z.NEVER
  })

export const PasswordChange = z.object({ password, newPassword })

export const InvitationToken = z.object({ token })

export const InvitationPreview = z.object({
  email: storedEmail,
  role: z.enum(['ADMIN', 'MEMBER']),
  projectName: z.string(),
  invitedBy: z.string().nullable(),
  expiresAt: z.date(),
})

export const Joined = z.object({ projectId: z.uuid(), role: z.enum(['OWNER', 'ADMIN', 'MEMBER']) })

export const SessionEntry = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'Whether this is the session that made the request.' }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.date(),
    lastSeenAt: z.date().meta({ description: 'Accurate to within five minutes.' }),
    expiresAt: z.date(),
  })
  .meta({ id: 'Session' })

export const TwoFactorState = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })

export const TwoFactorBegin = z.object({ password })

export const TwoFactorSecret = z.object({
  secret: z.string().meta({ description: 'Enter this in an authenticator app.' }),
  otpauthUrl: z.string().meta({ description: 'The secret as a URI for a QR code.' }),
})

export const TwoFactorConfirmation = z.object({ code })

export const BothFactors = z.object({ password, code })

export const RecoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .meta({ description: 'Shown only once. Each code can be used once instead of a code from the app.' }),
})
