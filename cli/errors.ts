/** What ends a command early, with its exit status. */

/** Ends the program with status 2. */
export class UsageError extends Error {}

/** Ends the program with status 1, or with the given one. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
