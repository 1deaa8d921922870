import { OperatorProblem } from '../../kernel/errors.ts'
import type { UnreadableMessage } from '../mime/parse-message.ts'

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

/** For a message that can't be parsed. If it only took too long, the client can send it again. */
export const cannotParse = ({ message, isTimeout }: UnreadableMessage): SmtpRefusal =>
  isTimeout
    ? new SmtpRefusal(451, `4.3.0 The message could not be parsed: ${message} Try again in a few minutes.`)
    : new SmtpRefusal(554, `5.6.0 The message could not be parsed: ${message}`)

/** Why a mail server can't be started, for the operator. */
export class SmtpStartProblem extends OperatorProblem {}
