/** Labels for the events that Posthorn records, and which events those are. */
import { activityTexts, eventLabels } from '../shell/texts.ts'

/** For a page that already shows which email or contact it is about. */
export const eventLabel = (name: string, data?: Record<string, unknown>): string =>
  eventLabels[name] ?? capitalize(activityLabel(name, data))

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * For a list of everything that happens. Tracked events keep their own name. The type of a segment's event has only its
 * slug; its data has the name.
 */
export function activityLabel(type: string, data?: Record<string, unknown>): string {
  const [, slug, change] = /^segment\.(.+)\.(entry|exit)$/.exec(type) ?? []
  const segment = typeof data?.segmentName === 'string' ? data.segmentName : slug
  if (segment && slug)
    return change === 'entry' ? activityTexts.entersSegment(segment) : activityTexts.leavesSegment(segment)
  return activityTexts.types[type] ?? type
}

/** Recorded by Posthorn rather than tracked through the API. */
export const isSystemEvent = (name: string): boolean => /^(email|contact|segment|topic)\./.test(name)

const FAILURES = ['email.bounce', 'email.complaint', 'email.failed', 'failed', 'copy-refused']

export const isFailure = (name: string): boolean => FAILURES.includes(name)
