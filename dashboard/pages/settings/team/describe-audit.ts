/** Describes an entry of the audit log in words, with labels instead of API values and with previous values. */

import { texts as editorTexts } from '../../../editor/texts.ts'
import { formatDateTime, formatDay, formatNumber } from '../../../figures/format.ts'
import { currentLanguage } from '../../../languages/language.ts'
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
  postalAddressInContent: texts.branding.addressInContent,
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
  ...T.fields,
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
  if (typeof value === 'boolean' && !VALUES[field]) return value ? T.yes : T.no
  if (field === 'language')
    return new Intl.DisplayNames(currentLanguage(), { type: 'language' }).of(String(value)) ?? String(value)
  return VALUES[field]?.[String(value)] ?? String(value)
}

/** The fonts and colors of emails are separate fields. */
const withStyles = ({ emailStyle, ...fields }: Details): Details => ({ ...fields, ...((emailStyle as Details) ?? {}) })

/** Entries from before previous values were recorded have only the new ones. */
function describeChanges({ before, contents, ...after }: Details): string[] {
  const old = before === undefined ? undefined : withStyles(before as Details)
  const now = withStyles(after)
  const changes = [...new Set([...Object.keys(now), ...Object.keys(old ?? {})])].flatMap((field) => {
    const [from, to] = [describeValue(field, old?.[field]), describeValue(field, now[field])]
    const name = FIELDS[field] ?? field
    if (old && from === to) return []
    if (to === T.none) return [T.removed(name)]
    return [old && from !== T.none ? T.changed(name, from, to) : T.set(name, to)]
  })
  if (contents)
    changes.push(T.contentsChanged((contents as string[]).map((name) => T.contents[name] ?? name).join(', ')))
  return changes.length === 0 && before !== undefined ? [T.unchanged] : changes
}

/** The name first. Fields without a previous value say what the entry is about. */
function describeNamed({ before = {}, contents, ...after }: Details): string[] {
  const old = before as Details
  const changed = Object.fromEntries(Object.keys(old).map((field) => [field, after[field]]))
  return [
    String(old.name ?? after.name ?? after.key ?? after.url),
    ...describeChanges({ ...changed, contents, before: old }),
  ]
}

const roleOf = (role: unknown): string =>
  (texts.members.roles as Record<string, string>)[String(role)] ?? String(role ?? '')

/** One line for each change. */
export function describeDetails(act: string, details: Details): string[] {
  if (act === 'project.changed' || act === 'billing-limits.changed') return describeChanges(details)
  if (act === 'key.changed') return describeKeyChanges(details)
  if (/^(template|campaign|segment|layout|saved-blocks|topic|form|webhook-endpoint)\.changed$/.test(act))
    return describeNamed(details)
  if (act === 'workflow.changed') return 'before' in details ? describeNamed(details) : describeGraphChange(details)
  if (act === 'domain.changed') return describeDomain(details)
  const line = describeLine(act, details)
  return line ? [line] : []
}

/** The name of the key, and the fields that changed. */
function describeKeyChanges({ name, before = {}, ...after }: Details): string[] {
  const old = before as Details
  const changed = Object.fromEntries(Object.keys(old).map((field) => [field, field === 'name' ? name : after[field]]))
  return [String(old.name ?? name), ...describeChanges({ ...changed, before: old })]
}

const describeGraphChange = ({ name, ...details }: Details): string[] => {
  const changes = [
    details.stepAdded !== undefined && T.stepAdded(String(details.stepAdded)),
    details.stepId !== undefined && T.stepChanged,
    details.stepRemoved !== undefined && T.stepRemoved,
    details.transitionAdded !== undefined && T.transitionAdded,
    details.transitionRemoved !== undefined && T.transitionRemoved,
  ]
  return [String(name), ...changes.filter((change) => change !== false)]
}

/** What it is about, and what else its entry says. */
function describeNamedAct(act: string, details: Details): string {
  const { name, url, key, email, field } = details
  const about = [name, url, key, field, act.startsWith('suppression.') ? email : undefined].find(Boolean)
  const more = [
    details.scheduledFor !== undefined && T.scheduledFor(formatDateTime(new Date(String(details.scheduledFor)))),
    act === 'campaign.tested' && T.sentTo(String(email)),
    typeof details.contacts === 'number' && T.contacts(details.contacts),
    typeof details.deliveries === 'number' && T.deliveries(details.deliveries),
    typeof details.emails === 'number' && T.emails(details.emails),
    typeof details.importedCount === 'number' && T.events(details.importedCount),
    typeof details.steps === 'number' && T.steps(details.steps),
    details.segment !== undefined && T.forSegment(String(details.segment)),
    details.all === true && T.allExecutions,
    act === 'webhook-endpoint.tested' &&
      (typeof details.status === 'number' ? T.response(details.status) : T.noResponse),
    typeof details.variant === 'string' && T.variant(details.variant),
  ]
  return [about, ...more].filter(Boolean).map(String).join(', ')
}

/** Entries about something with a name. */
const NAMED =
  /^(template|campaign|segment|layout|saved-blocks|topic|form|webhook-endpoint|workflow|suppression|experiment|recurrence|contact-field|events)\./

const describeDomain = ({ domain, warmUp, ed25519 }: Details): string[] => [
  String(domain),
  ...(warmUp === undefined ? [] : [describeWarmUp(warmUp)]),
  ...(ed25519 === undefined ? [] : [ed25519 ? T.ed25519Added : T.ed25519Removed]),
]

function describeWarmUp(warmUp: unknown): string {
  if (!warmUp) return T.noWarmUp
  const { startedOn, perDay, growth } = warmUp as { startedOn: string; perDay: number; growth: number }
  return T.warmUp(formatNumber(perDay), formatNumber(growth), formatDay(startedOn))
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
  if (NAMED.test(act)) return describeNamedAct(act, details)
  return act.startsWith('project.') && name ? String(name) : summarizeData(details)
}
