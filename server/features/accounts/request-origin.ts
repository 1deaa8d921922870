/** Where a request comes from, as a session remembers it. */
import type { Origin } from './sessions.ts'

export const originOf = (facts: { ip: string; headers: Record<string, string | string[] | undefined> }): Origin => {
  const userAgent = facts.headers['user-agent']
  return { ip: facts.ip, userAgent: typeof userAgent === 'string' ? userAgent : undefined }
}
