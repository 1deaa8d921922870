/** What every sign-in provider implements, whatever its protocol. */

/** Ties the provider's response to the browser that started the sign-in; stored in an encrypted cookie. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The user, as the provider describes them. */
export interface Identity {
  /** The provider's id of the user, which stays the same when the address changes. */
  subject: string
  email: string | undefined
  emailVerified: boolean
}

export interface Provider {
  /** The display name. */
  name: string
  /** The URL of who issues the ids of people. */
  issuer: string
  /** The URL to which the browser is redirected. */
  authorizationUrl(attempt: Attempt): Promise<URL>
  /** `answer`: the query of our callback URL. Throws `ProviderRefusal` if it is invalid. */
  identify(attempt: Attempt, answer: URLSearchParams): Promise<Identity>
}

/** Why a sign-in with a provider failed. The message is shown to the user. */
export type RefusalReason = 'away' | 'refused' | 'not-allowed' | 'too-many'

export class ProviderRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
