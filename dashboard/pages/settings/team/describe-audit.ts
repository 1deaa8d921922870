/** Describes an entry of the audit log in words, with labels instead of API values and with previous values. */

import { texts as editorTexts } from '../../../editor/texts.ts'
import { formatNumber } from '../../../figures/format.ts'
import { summarizeData } from '../../contacts/one/contact-data.ts'
import { texts } from '../texts.ts'

type Details = Record<string, unknown>

const T = texts.auditLog

const { width, padding, margin, radius } = editorTexts.settings

const FIELDS: Record<string, string> = {
  name: texts.project.name,
  tracking: texts.project.tracking,
  language: texts.project.language,
  postalAddress: texts.branding.address,
  logoUrl: texts.branding.logo,
  brandColor: texts.branding.color,
  socialLinks: texts.branding.social,
  font: texts.branding.font,
  darkMode: texts.branding.darkMode,
  width,
  padding,
  margin,
  radius,
  ...texts.branding.colors,
  ...texts.usage.sources,
  ...T.keyFields,
}

const VALUES: Record<string, Record<string, string>> = {
  tracking: texts.project.trackingOptions,
  font: texts.branding.fonts,
  darkMode: texts.branding.darkModes,
}

function describeValue(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return field in texts.usage.sources ? T.noLimit : T.none
  if (Array.isArray(value)) return value.map((one) => describeValue('link', one)).join(', ') || T.none
  if (typeof value === 'object') return String((value as { url?: string }).url ?? JSON.stringify(value))
  if (typeof value === 'number') return formatNumber(value)
  if (field === 'language') return new Intl.DisplayNames('en', { type: 'language' }).of(String(value)) ?? String(value)
  return VALUES[field]?.[String(value)] ?? String(value)
}

/** The fonts and colors of emails are separate fields. */
const withStyles = ({ emailStyle, ...fields }: Details): Details => ({ ...fields, ...((emailStyle as Details) ?? {}) })

/** Entries from before previous values were recorded have only the new ones. */
function describeChanges({ before, ...after }: Details): string[] {
  const old = before === undefined ? undefined : withStyles(before as Details)
  const now = withStyles(after)
  const changes = [...new Set([...Object.keys(now), ...Object.keys(old ?? {})])].flatMap((field) => {
    const [from, to] = [describeValue(field, old?.[field]), describeValue(field, now[field])]
    const name = FIELDS[field] ?? field
    if (old && from === to) return []
    if (to === T.none) return [T.removed(name)]
    return [old && from !== T.none ? T.changed(name, from, to) : T.set(name, to)]
  })
  return changes.length === 0 && before !== undefined ? [T.unchanged] : changes
}

const roleOf = (role: unknown): string =>
  (texts.members.roles as Record<string, string>)[String(role)] ?? String(role ?? '')

/** One line for each change. */
export function describeDetails(act: string, details: Details): string[] {
  if (act === 'project.changed' || act === 'billing-limits.changed') return describeChanges(details)
  if (act === 'key.changed') return describeKeyChanges(details)
  const line = describeLine(act, details)
  return line ? [line] : []
}

/** The name of the key, and the fields that changed. */
function describeKeyChanges({ name, before = {}, ...after }: Details): string[] {
  const old = before as Details
  const changed = Object.fromEntries(Object.keys(old).map((field) => [field, field === 'name' ? name : after[field]]))
  return [String(old.name ?? name), ...describeChanges({ ...changed, before: old })]
}

function describeLine(act: string, details: Details): string {
  const { email, role, name, domain, reason } = details
  if (act === 'member.role-changed') return T.changed(String(email), roleOf(details.from), roleOf(details.to))
  if (act.startsWith('member.') || act.startsWith('invitation.'))
    return [email, roleOf(role)].filter(Boolean).map(String).join(', ')
  if (act === 'key.created') return [name, ...((details.scopes as string[]) ?? [])].join(', ')
  if (act === 'key.rotated') return T.overlap(String(name), Number(details.overlapHours))
  if (act === 'key.deleted') return String(name)
  if (act.startsWith('domain.')) return String(domain)
  if (act === 'project.disabled') return String(reason)
  return act.startsWith('project.') && name ? String(name) : summarizeData(details)
}
