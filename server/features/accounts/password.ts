/** Passwords are kept as argon2id, hashed off the event loop. */
import { hash, verify } from '@node-rs/argon2'

// The OWASP minimum: 19 MiB, two passes. About 30 ms of one core.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

export const isPassword = (passwordHash: string, password: string): Promise<boolean> => verify(passwordHash, password)

let decoy: Promise<string> | undefined

/** For an unknown account: takes as long as a real check, and always says no. */
export async function refuseSlowly(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this password')
  await isPassword(await decoy, password)
  return false
}
