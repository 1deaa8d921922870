/** What every sign-in provider can do, however it speaks. */

/** What ties an answer of the provider to the browser that asked: kept in a sealed cookie meanwhile. */
export interface Errand {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** Who the provider says it is. */
export interface Stranger {
  /** The provider's own id of the person: it stays when the address changes. */
  subject: string
  email: string | undefined
  emailVerified: boolean
}

export interface Provider {
  /** As people call it. */
  name: string
  /** Where the browser goes. */
  authorizationUrl(errand: Errand): Promise<URL>
  /** `answer`: what the provider put into the address of our callback. Throws `ProviderRefusal` when it makes no sense. */
  identify(errand: Errand, answer: URLSearchParams): Promise<Stranger>
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
