/** A user's account, as it is stored and as it is returned. */
import type { UserRow } from './queries.ts'

export type { UserRow }

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
