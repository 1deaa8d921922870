/** A report in words. */
import type { Report } from './move.ts'
import { CONTENT_KINDS } from './record.ts'

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const NAMES = {
  layout: 'layout',
  'saved-block': 'saved block',
  segment: 'segment',
  template: 'template',
  campaign: 'campaign',
  workflow: 'workflow',
}

export function summaryLines({ dryRun, contacts, suppressions, topics, content, left }: Report): string[] {
  const was = dryRun ? 'would be' : 'were'
  const lines = [
    `Contacts: ${contacts.created.toLocaleString('en')} ${was} created, ${contacts.updated.toLocaleString('en')} updated, ${contacts.unchanged.toLocaleString('en')} unchanged.`,
  ]
  if (contacts.optedOut > 0)
    lines.push(
      `${counted(contacts.optedOut, 'person', 'people')} opted out there, and ${dryRun ? 'would opt out' : 'opted out'} here.`,
    )
  if (contacts.keptOptOut > 0)
    lines.push(
      `${counted(contacts.keptOptOut, 'contact')} ${was} not subscribed, because they opted out or are suppressed here.`,
    )
  if (suppressions.created + suppressions.existing > 0) {
    lines.push(
      `Suppressions: ${suppressions.created.toLocaleString('en')} ${was} added, ${suppressions.existing.toLocaleString('en')} exist already.`,
    )
  }
  if (topics.created + topics.existing > 0)
    lines.push(`Topics: ${topics.created} ${was} created, ${topics.existing} exist already.`)
  for (const kind of CONTENT_KINDS) {
    const { created, existing, failed } = content[kind]
    if (created + existing + failed === 0) continue
    lines.push(
      `${NAMES[kind].charAt(0).toUpperCase()}${NAMES[kind].slice(1)}s: ${created} ${was} created, ${existing} exist already, ${failed} failed.`,
    )
  }
  for (const { what, why, count } of left) lines.push(`Left: ${what}${count > 1 ? ` (${count})` : ''}. ${why}`)
  return lines
}

export function problemLines({ problems, problemCount }: Report): string[] {
  const lines = problems.map(
    ({ file, line, what, error }) => `${file}${line ? `, line ${line}` : ''}: ${what}: ${error}`,
  )
  return problemCount > problems.length ? [...lines, `${problemCount - problems.length} more problems.`] : lines
}
