/** Why signing in with a provider did not work, in words for the person in front of the browser. */
export type RefusalReason = 'away' | 'refused' | 'not-allowed' | 'too-many'

export class ProviderRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
