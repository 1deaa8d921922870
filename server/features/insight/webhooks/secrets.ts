/** The secrets that sign requests to an endpoint. After a rotation, old ones sign for a while beside the new one. */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { StoredSecret } from './queries.ts'

const SECRET_BYTES = 32
/** Each signs every request, and receivers limit the length of headers. */
const VALID_MAX = 20

type Vault = Pick<Context, 'secrets'>

export const newSecret = ({ secrets }: Vault): StoredSecret => ({
  sealed: secrets.encrypt(randomBytes(SECRET_BYTES).toString('base64')).toString('base64'),
  until: null,
})

const open = ({ secrets }: Vault, { sealed }: StoredSecret): string => secrets.decrypt(Buffer.from(sealed, 'base64'))

export const showSecret = (ctx: Vault, stored: StoredSecret[]): string => `whsec_${open(ctx, stored[0]!)}`

const isValid =
  (now: Date) =>
  ({ until }: StoredSecret) =>
    until === null || new Date(until) > now

/** Newest first. */
export const validSecrets = (ctx: Vault, stored: StoredSecret[], now: Date): Buffer[] =>
  stored.filter(isValid(now)).map((secret) => Buffer.from(open(ctx, secret), 'base64'))

/** Each old secret keeps its own end, except the oldest if there are too many. */
export function rotated(ctx: Vault, stored: StoredSecret[], overlapHours: number, now: Date): StoredSecret[] {
  const until = new Date(now.getTime() + overlapHours * 3600_000).toISOString()
  const old = stored.map((secret) => (secret.until === null ? { ...secret, until } : secret))
  return [newSecret(ctx), ...old.filter(isValid(now))].slice(0, VALID_MAX)
}
