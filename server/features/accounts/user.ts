/** A user's account, as it is stored and as it is returned. */

export interface UserRow {
  id: string
  email: string
  /** Null for a user who signed up with a sign-in provider. */
  password_hash: string | null
  email_verified_at: Date | null
  two_factor_secret: Buffer | null
  two_factor_enabled_at: Date | null
  created_at: Date
}

export const showUser = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  emailVerified: user.email_verified_at !== null,
})

export const hasTwoFactor = (user: UserRow): boolean => user.two_factor_enabled_at !== null
