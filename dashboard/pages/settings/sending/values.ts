/** The settings about marketing email as they are edited: texts of fields, and from them the values of the API. */
import type { Schemas } from '../../../data/api.ts'

type Project = Schemas['Project']
type Kind = 'text' | 'number' | 'time' | 'percent'
export type SettingName =
  | 'quietHours'
  | 'frequencyCap'
  | 'sunset'
  | 'sendGuard'
  | 'softBounces'
  | 'utm'
  | 'conversion'
  | 'archive'

/** The fields of each setting, and what they start with. */
export const SETTINGS: Record<SettingName, { fields: Record<string, Kind>; start: Record<string, string> }> = {
  quietHours: {
    fields: { from: 'time', to: 'time', timezone: 'text' },
    start: { from: '21:00', to: '08:00', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  },
  frequencyCap: { fields: { emails: 'number', days: 'number' }, start: { emails: '3', days: '7' } },
  sunset: { fields: { emails: 'number', days: 'number' }, start: { emails: '10', days: '180' } },
  sendGuard: {
    fields: { bounceRate: 'percent', complaintRate: 'percent', minimum: 'number' },
    start: { bounceRate: '5', complaintRate: '0.3', minimum: '500' },
  },
  softBounces: { fields: { count: 'number', days: 'number' }, start: { count: '5', days: '14' } },
  utm: {
    fields: { source: 'text', medium: 'text', campaign: 'text' },
    start: { source: 'posthorn', medium: 'email', campaign: '{{ campaign.name }}' },
  },
  conversion: { fields: { event: 'text', days: 'number' }, start: { event: 'purchase', days: '7' } },
  archive: { fields: { slug: 'text', title: 'text' }, start: { slug: '', title: '' } },
}

export interface SettingDraft {
  isOn: boolean
  fields: Record<string, string>
}

/** Without rounding errors, as in 0.003 * 100. */
const percent = (rate: number): string => String(Number((rate * 100).toPrecision(12)))

export function draftOf(name: SettingName, project: Pick<Project, SettingName>): SettingDraft {
  const value = project[name] as Record<string, unknown> | null
  const { fields, start } = SETTINGS[name]
  const shown = Object.entries(fields).map(([field, kind]) => {
    const stored = value?.[field]
    const text = kind === 'percent' ? percent(stored as number) : String(stored ?? '')
    return [field, value ? text : start[field]!]
  })
  return { isOn: value !== null && (name !== 'archive' || value.enabled === true), fields: Object.fromEntries(shown) }
}

/** Null if it is off. An archive keeps its address, so that it can be switched on again. */
export function settingOf(name: SettingName, { isOn, fields: texts }: SettingDraft): Record<string, unknown> | null {
  if (!isOn && (name !== 'archive' || texts.slug === '')) return null
  const values = Object.entries(SETTINGS[name].fields).map(([field, kind]) => [field, fieldOf(kind, texts[field]!)])
  return { ...Object.fromEntries(values), ...(name === 'archive' ? { enabled: isOn } : {}) }
}

function fieldOf(kind: Kind, text: string): unknown {
  if (kind === 'percent') return Number((Number(text) / 100).toPrecision(12))
  if (kind === 'number') return Number(text)
  return text.trim() || null
}
