/** What the record of consent contains: the kinds of changes, and what is known about the cause of one. */

export const CONSENT_KINDS = [
  'subscribed',
  'unsubscribed',
  'topic.subscribed',
  'topic.unsubscribed',
  'confirmation.requested',
  'confirmed',
] as const

export const CONSENT_SOURCES = [
  'api',
  'import',
  'form',
  'page',
  'one-click',
  'confirmation',
  'dashboard',
  'workflow',
  'bounce',
  'complaint',
] as const

/** Every write that can change a subscription names its cause. */
export interface ConsentCause {
  source: (typeof CONSENT_SOURCES)[number]
  /** The address of the person, if known: not that of a server that calls the API. */
  ip?: string | undefined
  userAgent?: string | undefined
  /** What the person was shown. */
  text?: string | undefined
  /** The name of a user is looked up when the change is recorded. */
  by?: { type: 'user'; id: string } | { type: 'key'; id: string | null; name: string } | undefined
  /** The import that makes the change. */
  importId?: string | undefined
}

/** The cause of a change that a program makes with a key, by any protocol. */
export const causeOfKey = (key: { id: string | null; name: string } | undefined): ConsentCause => ({
  source: 'api',
  ...(key && { by: { type: 'key', id: key.id, name: key.name } }),
})

/** What a caller reports about a consent that was given elsewhere. */
export interface ReportedConsent {
  ip?: string | undefined
  userAgent?: string | undefined
  text?: string | undefined
}

interface Request {
  caller: { userId?: string; key?: { id: string | null; name: string }; isPublic?: boolean }
  facts: { ip: string; headers: Record<string, string | string[] | undefined> }
}

const PUBLIC_KEY = { type: 'key', id: null, name: 'Public key' } as const

/**
 * The cause of a change that a request makes. Requests with a key that websites have come from the browser of the
 * person; other callers report its address and browser if they know them.
 */
export function causeOf({ caller, facts }: Request, reported: ReportedConsent = {}): ConsentCause {
  const { userId, key, isPublic } = caller
  if (userId !== undefined) return { source: 'dashboard', ...reported, by: { type: 'user', id: userId } }
  const by = key ? ({ type: 'key', id: key.id, name: key.name } as const) : isPublic ? PUBLIC_KEY : undefined
  return { source: 'api', ...(isPublic ? visitorOf(facts) : {}), ...reported, by }
}

const USER_AGENT_MAX = 500

/** The person's own request. */
export function visitorOf({ ip, headers }: Request['facts']): Required<Pick<ConsentCause, 'ip'>> & ReportedConsent {
  const userAgent = headers['user-agent']
  return { ip, userAgent: typeof userAgent === 'string' ? userAgent.slice(0, USER_AGENT_MAX) : undefined }
}
