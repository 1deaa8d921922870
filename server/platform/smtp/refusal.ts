import { OperatorProblem } from '../../kernel/errors.ts'

/** The reply of our mail servers when they refuse a command: a code and a message that explains what to do. */
export class SmtpRefusal extends Error {
  /** The property in which the library expects the code. */
  readonly responseCode: number
  /** The connection is closed after this reply. */
  readonly disconnect: boolean

  constructor(responseCode: number, text: string, { disconnect = false } = {}) {
    super(text)
    this.responseCode = responseCode
    this.disconnect = disconnect
  }
}

/** Why a mail server can't be started, for the operator. */
export class SmtpStartProblem extends OperatorProblem {}
