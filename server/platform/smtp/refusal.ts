import { OperatorProblem } from '../../kernel/errors.ts'

/** What a mail server of ours answers when it declines on purpose: a reply code and words that say what to do. */
export class SmtpRefusal extends Error {
  /** Where the library looks for the code. */
  readonly responseCode: number
  /** The answer is the last one of this connection. */
  readonly hangUp: boolean

  constructor(responseCode: number, words: string, { hangUp = false } = {}) {
    super(words)
    this.responseCode = responseCode
    this.hangUp = hangUp
  }
}

/** Why a mail server can't be started, in a sentence for the operator. */
export class SmtpStartProblem extends OperatorProblem {}
