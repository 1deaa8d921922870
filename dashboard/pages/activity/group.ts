/**
 * Groups the feed: all events of an email form one entry at the time of the latest, consecutive entries of the same kind
 * are shown as one, and types belong to categories.
 */
import type { Activity } from '../../data/live.ts'

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

/** Shorter series aren't grouped. */
const GROUP_MIN = 3

/** Groups consecutive entries of the same kind. Emails and campaigns are never grouped. */
export function groupNeighbors(items: Activity[]): Activity[][] {
  const runs: Activity[][] = []
  let kind: string | undefined
  for (const item of items) {
    const isAlone = item.email !== null || CATEGORIES.campaigns!(item.type)
    const next = isAlone ? undefined : `${item.type} ${item.metadata.workflowId ?? ''}`
    if (next !== undefined && next === kind) runs.at(-1)!.push(item)
    else runs.push([item])
    kind = next
  }
  return runs.flatMap((run) => (run.length < GROUP_MIN ? run.map((item) => [item]) : [run]))
}
