/** What every sign-in provider implements, whatever its protocol. */

/** Ties the provider's response to the browser that began the sign-in; kept in an encrypted cookie meanwhile. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The person, as the provider describes them. */
export interface Identity {
  /** The provider's own id of the person: it stays when the address changes. */
  subject: string
  email: string | undefined
  emailVerified: boolean
}

export interface Provider {
  /** As people call it. */
  name: string
  /** Where the browser goes. */
  authorizationUrl(attempt: Attempt): Promise<URL>
  /** `answer`: what the provider put into the address of our callback. Throws `ProviderRefusal` when it makes no sense. */
  identify(attempt: Attempt, answer: URLSearchParams): Promise<Identity>
}

/** Why signing in with a provider did not work. The message is shown to the person. */
export type RefusalReason = 'away' | 'refused' | 'not-allowed' | 'too-many'

export class ProviderRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
