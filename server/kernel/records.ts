/** Objects with free keys in requests. Zod leaves the key `__proto__` out of a record; here it is refused. */
import { z } from 'zod'

const RESERVED = '__proto__'

const hasReserved = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, RESERVED)

export const recordOf = <Key extends z.ZodType<string, string>, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { message, code } = { message: `The name ${RESERVED} is reserved. Use another one.`, code: 'invalid_string' },
) =>
  z.preprocess(
    (given, issues) => {
      if (hasReserved(given)) issues.addIssue({ code: 'custom', path: [RESERVED], message, params: { code } })
      return given
    },
    z.record(key, value),
  )
