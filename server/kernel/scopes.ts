/**
 * The scopes of API keys. The scope that a route requires follows from its tag and method, unless the route names
 * another one.
 */

/** Each has the scopes `:read`, and `:write`, which includes `:read`. */
export const SCOPE_AREAS = [
  'contacts',
  'segments',
  'topics',
  'forms',
  'templates',
  'campaigns',
  'workflows',
  'events',
  'emails',
  'domains',
  'analytics',
  'webhooks',
  'suppressions',
  'uploads',
  'transports',
  'project',
] as const

type Area = (typeof SCOPE_AREAS)[number]

export type Scope = 'full' | 'send' | 'track' | 'verify' | `${Area}:${'read' | 'write'}`

export const SCOPES: readonly Scope[] = [
  'full',
  'send',
  'track',
  'verify',
  ...SCOPE_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
]

/** The scope of a route that every key can call, except one that may be part of a website. */
export const ANY_SCOPE = 'any'

const AREA_OF_TAG: Record<string, Area> = {
  Contacts: 'contacts',
  Segments: 'segments',
  Topics: 'topics',
  Forms: 'forms',
  Templates: 'templates',
  Layouts: 'templates',
  'Saved blocks': 'templates',
  Campaigns: 'campaigns',
  Workflows: 'workflows',
  Events: 'events',
  Emails: 'emails',
  Domains: 'domains',
  Activity: 'analytics',
  Analytics: 'analytics',
  'Webhook endpoints': 'webhooks',
  Suppressions: 'suppressions',
  Uploads: 'uploads',
  Transports: 'transports',
  Tags: 'project',
  Projects: 'project',
  Members: 'project',
  Billing: 'project',
  'API keys': 'project',
  'API requests': 'project',
}

/** The scope of a route by its tag. A tag that isn't listed requires full access. */
export function scopeOfTag(tag: string, isRead: boolean): Scope {
  const area = AREA_OF_TAG[tag]
  return area ? `${area}:${isRead ? 'read' : 'write'}` : 'full'
}

export const hasScope = (granted: readonly string[], required: string): boolean =>
  granted.includes('full') || granted.includes(required) || granted.includes(required.replace(/:read$/, ':write'))

/** The API key of a call, and what it is limited to. */
export interface CallerKey {
  /** Null for the secret key of a project. */
  id: string | null
  name: string
  scopes: readonly string[]
  /** Addresses and ranges; empty if it can be used from anywhere. */
  allowedIps: readonly string[]
  expiresAt: Date | null
  /** What it sends is stored and never delivered. */
  test: boolean
}

/** Whether the key may do everything, from anywhere, for good. */
export const isUnlimited = ({ scopes, allowedIps, expiresAt, test }: CallerKey): boolean =>
  scopes.includes('full') && allowedIps.length === 0 && expiresAt === null && !test

/** The secret key of a project: it may do everything. */
export const SECRET_KEY: CallerKey = {
  id: null,
  name: 'Secret key',
  scopes: ['full'],
  allowedIps: [],
  expiresAt: null,
  test: false,
}

/** Test keys can't use these scopes: a new contact, an event or a change of them can start a workflow, which sends real email. */
const NOT_FOR_TESTS = new Set<string>([
  'track',
  'contacts:write',
  'segments:write',
  'topics:write',
  'forms:write',
  'events:write',
  'campaigns:write',
  'workflows:write',
])

export const isForTests = (scope: Scope | 'any'): boolean => !NOT_FOR_TESTS.has(scope)

/** Such a key may be part of a website, as the public key may: its holder learns nothing about the project. */
export const onlyTracks = (scopes: readonly string[]): boolean => scopes.every((scope) => scope === 'track')

/** What requests with the public key change about contacts: everything, only new contacts, or nothing. */
export type PublicKeyUpdates = 'all' | 'new' | 'none'
