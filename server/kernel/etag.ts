/**
 * ETags of single resources: the time of the last change, and a hash of what the response contains. `If-None-Match` compares both;
 * `If-Match` only the time, because counts in a resource change without an edit. There it can also be written as in `updatedAt`.
 */
import { createHash } from 'node:crypto'
import { Refusal } from './errors.ts'

export function etagOf(json: string | Buffer, updatedAt: Date | undefined): string {
  const hash = createHash('sha1').update(json).digest('base64url').slice(0, 16)
  return `"${updatedAt ? `${timeIn36(updatedAt)}.` : ''}${hash}"`
}

const timeIn36 = (at: Date) => at.getTime().toString(36)

export const isListed = (ifNoneMatch: string | undefined, etag: string): boolean =>
  listIn(ifNoneMatch).some((listed) => listed === '*' || listed === etag.slice(1, -1))

/** Refuses a change to a resource that was changed since the caller read it. Call it with the row locked. */
export function requireUnchanged(ifMatch: string | undefined, updatedAt: Date | undefined): void {
  if (ifMatch === undefined) return
  const isExpected = (listed: string) =>
    updatedAt && (listed === '*' || listed.split('.')[0] === timeIn36(updatedAt) || listed === updatedAt.toISOString())
  if (listIn(ifMatch).some(isExpected)) return
  throw new Refusal('changed', 'PRECONDITION_FAILED', 'It was changed since you read it.', {
    details: { updatedAt: updatedAt?.toISOString() ?? null },
    suggestion: 'Read it again, apply your change to it, and save with the new ETag in If-Match.',
  })
}

/** Without quotes and without the mark of weak ones, which proxies add when they compress. */
const listIn = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((listed) => listed.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
