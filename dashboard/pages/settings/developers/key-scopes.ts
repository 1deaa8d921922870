/** Scopes as the dashboard offers them: a few presets, or a choice for each area. */
import type { Schemas } from '../../../data/api.ts'
import { texts } from '../texts.ts'

export type ApiKey = Schemas['ApiKey']

/** With the key itself, after it was created or replaced. */
export type ShownApiKey = Schemas['CreatedApiKey']

export type Scope = ApiKey['scopes'][number]

type AreaOf<S> = S extends `${infer A}:read` ? A : never

export type Area = AreaOf<Scope>

const AREA_TITLES: Record<Area, string> = texts.apiKeys.areas

export const AREAS = Object.keys(AREA_TITLES) as Area[]

export const allows = (scopes: readonly string[], scope: Scope): boolean =>
  scopes.includes('full') || scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write'))

export type Preset = 'send' | 'read' | 'full' | 'own'

/** Without an area there is only one scope. */
export const SINGLE_SCOPES = ['send', 'track', 'verify'] as const

export type Level = 'none' | 'read' | 'write'

export const SCOPES_OF_PRESETS: Record<Exclude<Preset, 'own'>, Scope[]> = {
  send: ['send'],
  read: AREAS.map((area) => `${area}:read` as const),
  full: ['full'],
}

/** The preset with exactly these scopes. */
export function presetOf(scopes: readonly string[]): Preset {
  const same = (others: readonly string[]) =>
    others.length === scopes.length && others.every((scope) => scopes.includes(scope))
  const presets = Object.entries(SCOPES_OF_PRESETS) as [Exclude<Preset, 'own'>, Scope[]][]
  return presets.find(([, others]) => same(others))?.[0] ?? 'own'
}

export function levelOf(scopes: readonly string[], area: Area): Level {
  if (allows(scopes, `${area}:write`)) return 'write'
  return allows(scopes, `${area}:read`) ? 'read' : 'none'
}

/** The scopes with another level for an area. */
export function withLevel(scopes: readonly Scope[], area: Area, level: Level): Scope[] {
  const others = scopes.filter((scope) => !scope.startsWith(`${area}:`))
  return level === 'none' ? others : [...others, `${area}:${level}`]
}
