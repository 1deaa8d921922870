/** A user's account, as it is stored and as it is returned. */

export interface UserRow {
  id: string
  email: string
  /** Null for a user who signed up with a sign-in provider. */
  password_hash: string | null
  email_verified_at: Date | null
  two_factor_secret: Buffer | null
  two_factor_enabled_at: Date | null
  /** The first account of the installation. */
  operator: boolean
  created_at: Date
}

export const showUser = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  emailVerified: user.email_verified_at !== null,
})

/**
 * Whether the user runs the installation. A listed address must be confirmed, because anyone can sign up with any
 * address.
 */
export const isOperator = (operatorEmails: readonly string[], user: UserRow): boolean =>
  operatorEmails.length === 0
    ? user.operator
    : user.email_verified_at !== null && operatorEmails.some((email) => email.toLowerCase() === user.email)

export const hasTwoFactor = (user: UserRow): boolean => user.two_factor_enabled_at !== null
