/** Labels for the events that Posthorn records, and which events those are. */
import { activityTexts, eventLabels } from './texts.ts'

/** For a page that already shows which email or contact it is about. */
export const eventLabel = (name: string): string => eventLabels[name] ?? capitalize(activityLabel(name))

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** For a list of everything that happens. Tracked events keep their own name. */
export function activityLabel(type: string): string {
  const [, slug, change] = /^segment\.(.+)\.(entry|exit)$/.exec(type) ?? []
  if (slug) return change === 'entry' ? activityTexts.entersSegment(slug) : activityTexts.leavesSegment(slug)
  return activityTexts.types[type] ?? type
}

/** Recorded by Posthorn rather than tracked through the API. */
export const isSystemEvent = (name: string): boolean => /^(email|contact|segment)\./.test(name)

const FAILURES = ['email.bounce', 'email.complaint']

export const isFailure = (name: string): boolean => FAILURES.includes(name)
