/** Labels for the events that Posthorn records, and which events those are. */
import { eventLabels } from './texts.ts'

export const eventLabel = (name: string): string => eventLabels[name] ?? capitalize(name)

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Recorded by Posthorn rather than tracked through the API. */
export const isSystemEvent = (name: string): boolean => /^(email|contact|segment)\./.test(name)

const FAILURES = ['email.bounce', 'email.complaint']

export const isFailure = (name: string): boolean => FAILURES.includes(name)
