/**
 * Who could attack a project, and what each may call. Nothing here names a route: the permissions follow from what
 * routes declare about themselves, so a new route is covered at once.
 */
import { ANY_SCOPE, hasScope, onlyTracks, SCOPE_AREAS } from '../../kernel/scopes.ts'
import { type Role, type Route, scopeOf } from '../../platform/http/route.ts'
import type { World } from './world.ts'

export interface Actor {
  /** The headers of each attempt, by what is tried. */
  attempts: Record<string, Record<string, string>>
  /** None of the attempts has valid credentials. */
  isUnknown?: boolean
  may(route: Route): boolean
  /** The code of the refusal. */
  refusal(route: Route): string
}

const RANK: Record<Role, number> = { MEMBER: 1, ADMIN: 2, OWNER: 3 }

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const isOpen = ({ access }: Route) => access === 'open'

/** A signed-in person with a role in the project of the victim. */
function inProject(world: World, cookie: string, role: Role): Actor {
  const rank = RANK[role]
  return {
    attempts: { 'their session': { cookie, 'x-project-id': world.victim.id } },
    may: (route) =>
      route.access !== 'public-key' && !route.operator && (route.role === undefined || RANK[route.role] <= rank),
    refusal: (route) => (route.access === 'public-key' ? 'MISSING_AUTH' : 'FORBIDDEN'),
  }
}

/** A signed-in person without a role in it. */
function outsideProject(world: World, cookie: string, isOperator: boolean): Actor {
  return {
    attempts: { 'their session': { cookie, 'x-project-id': world.victim.id } },
    may: (route) => isOpen(route) || (route.access === 'session' && (isOperator || !route.operator)),
    refusal: (route) => {
      if (route.access === 'public-key') return 'MISSING_AUTH'
      if (route.access === 'session') return 'FORBIDDEN'
      return route.access === 'own-project' ? 'RESOURCE_NOT_FOUND' : 'PROJECT_ACCESS_DENIED'
    },
  }
}

const fits = (scopes: string[], required: string): boolean =>
  required === ANY_SCOPE ? !onlyTracks(scopes) : hasScope(scopes, required)

/** A server with an API key that has only these scopes. */
const withScopes = (key: string, scopes: string[]): Actor => ({
  attempts: { 'its API key': bearer(key) },
  may: (route) => isOpen(route) || (route.access !== 'session' && fits(scopes, scopeOf(route)!)),
  refusal: ({ access }) => (access === 'session' ? 'INVALID_API_KEY' : 'FORBIDDEN'),
})

/** Everyone who has no valid credentials. */
const withoutAccess = (attempts: Actor['attempts']): Actor => ({
  attempts,
  isUnknown: true,
  may: isOpen,
  refusal: () => 'MISSING_AUTH, INVALID_API_KEY or UNAUTHORIZED',
})

/** `stored`: values of credentials as the database has them, which a backup without SECRET shows. */
export const createActors = (world: World, stored: Record<string, string>): Record<string, Actor> => ({
  'someone without an account': withoutAccess({
    nothing: {},
    'a key without Bearer': { authorization: world.victim.secretKey },
    'Basic authentication': {
      authorization: `Basic ${Buffer.from(`${world.victim.secretKey}:`).toString('base64')}`,
    },
    'Bearer and nothing': { authorization: 'Bearer ' },
    'an unknown key': bearer(`sk_${'0'.repeat(48)}`),
    'the hint of a key': bearer(`sk_${world.victim.secretKey.slice(-4)}`),
    'a key in capitals': bearer(world.victim.secretKey.toUpperCase()),
    'an invalid session': { cookie: 'token=e30.e30.e30', 'x-project-id': world.victim.id },
    'a wrong key beside a good session': {
      ...bearer('sk_x'),
      cookie: world.victim.owner.cookie,
      'x-project-id': world.victim.id,
    },
  }),
  'a visitor with the public key': {
    attempts: { 'the public key': bearer(world.victim.publicKey) },
    may: (route) => isOpen(route) || route.access === 'public-key',
    refusal: () => 'INVALID_API_KEY',
  },
  'a recipient with a link': withoutAccess({
    'the token as a key': bearer(world.linkToken),
    'the token as a session': { cookie: `token=${world.linkToken}`, 'x-project-id': world.victim.id },
  }),
  'someone with a backup': withoutAccess(
    Object.fromEntries(
      Object.entries(stored).flatMap(([what, value]) => [
        [`${what} as a key`, bearer(value)],
        [`${what} with the prefix of a key`, bearer(`${what.includes('API key') ? 'phk' : 'sk'}_${value}`)],
        [`${what} as a session`, { cookie: `token=${value}`, 'x-project-id': world.victim.id }],
      ]),
    ),
  ),
  'a server with the secret key': {
    attempts: { 'the secret key': bearer(world.victim.secretKey) },
    may: ({ access }) => access === 'open' || access === 'project' || access === 'own-project',
    refusal: () => 'INVALID_API_KEY',
  },
  // It acts on its own project, unless the path names one.
  'the key of another project': {
    attempts: { 'its secret key': bearer(world.other.secretKey) },
    may: (route) =>
      route.access === 'open' || route.access === 'project' || (route.access === 'own-project' && !!route.findProject),
    refusal: ({ access }) => (access === 'own-project' ? 'RESOURCE_NOT_FOUND' : 'INVALID_API_KEY'),
  },
  'a server that sends': withScopes(world.scopedKeys.sends, ['send']),
  'a website that tracks': withScopes(world.scopedKeys.tracks, ['track']),
  'a server that reads': withScopes(
    world.scopedKeys.reads,
    SCOPE_AREAS.map((area) => `${area}:read`),
  ),
  'a server that may do everything except send, track, verify and manage keys': withScopes(
    world.scopedKeys.writes,
    SCOPE_AREAS.map((area) => `${area}:write`),
  ),
  'a server at another address': withScopes(world.scopedKeys.elsewhere, []),
  'someone with an old API key': withoutAccess({
    'a deleted key': bearer(world.scopedKeys.deleted),
    'an expired key': bearer(world.scopedKeys.expired),
    'a replaced key': bearer(world.scopedKeys.rotated),
    'the prefix of a key': bearer(world.scopedKeys.sends.slice(0, 12)),
    'an unknown key': bearer(`phk_${'0'.repeat(48)}`),
  }),
  'an API key of another project': {
    attempts: { 'its API key': bearer(world.otherKey) },
    may: (route) =>
      isOpen(route) ||
      route.access === 'public-key' ||
      route.access === 'project' ||
      (route.access === 'own-project' && !!route.findProject),
    refusal: ({ access }) => (access === 'own-project' ? 'RESOURCE_NOT_FOUND' : 'INVALID_API_KEY'),
  },
  'a member': inProject(world, world.member.cookie, 'MEMBER'),
  'an admin': inProject(world, world.admin.cookie, 'ADMIN'),
  'someone from another project': outsideProject(world, world.other.owner.cookie, false),
  'the operator': outsideProject(world, world.operator.cookie, true),
})
