/** Groups the feed: all events of an email are one entry, at the time of the latest, and types belong to categories. */
import type { Activity } from '../../live.ts'

/** Whether a type belongs to the category. Names of tracked events have no reserved prefix. */
export const CATEGORIES: Record<string, (type: string) => boolean> = {
  emails: (type) => type.startsWith('email.'),
  contacts: (type) => type.startsWith('contact.') || type.startsWith('segment.'),
  campaigns: (type) => type.startsWith('campaign.'),
  workflows: (type) => type.startsWith('workflow.'),
  tracked: (type) => !/^(email|contact|segment|campaign|workflow)\./.test(type),
}

/** The types of a category, or the chosen type. Undefined means all. */
export function typesOf(chosen: string, all: string[] | undefined): string[] | undefined {
  const category = CATEGORIES[chosen]
  if (category) return (all ?? []).filter(category)
  return chosen ? [chosen] : undefined
}

/** Whether a type is in the category, or is the chosen type. */
export const isChosen = (chosen: string, type: string): boolean =>
  chosen === '' || (CATEGORIES[chosen]?.(type) ?? chosen === type)

/** Keeps the latest entry of each email. `items` are newest first and may repeat. */
export function groupByEmail(items: Activity[]): Activity[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = item.email?.id ?? item.id
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
