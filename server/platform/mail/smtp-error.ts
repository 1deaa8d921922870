/** What went wrong with one message or one connection, and whether the message can have arrived all the same. */
import type { SmtpFailure } from './smtp-reply.ts'
import type { Reply } from './smtp-reply-reader.ts'

export class SmtpError extends Error {
  readonly failure: SmtpFailure
  /** The message cannot have been taken: the dot that ends it was never written. */
  readonly certainlyNotSent: boolean

  constructor(failure: SmtpFailure, certainlyNotSent: boolean) {
    super(failure.message)
    this.failure = failure
    this.certainlyNotSent = certainlyNotSent
  }
}

/** The server said no, in these words, to this command. */
export const refusalOf = (code: string, command: string, { code: responseCode, text }: Reply): SmtpFailure => ({
  message: text,
  code,
  response: text,
  responseCode,
  command,
})
