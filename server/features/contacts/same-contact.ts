/**
 * Requests that arrive together share one statement, and a statement writes a contact once. So requests for the same
 * contact may share one only if they ask the same of it: then the second changes nothing, as if it had come later.
 */
import type { ContactUpsert } from './queries.ts'

/** Tells of one request after the other whether it may join those it said yes to. */
export function askSameOfContact(): (upsert: ContactUpsert) => boolean {
  const asked = new Map<string, string>()
  return (upsert) => {
    const wishes = upsert.people.map((person) => [
      `${upsert.projectId} ${person.email}`,
      JSON.stringify([upsert.subscribedByDefault, person.subscribed, person.patch, upsert.removed]),
    ]) as [string, string][]
    const joins = wishes.every(([contact, wish]) => (asked.get(contact) ?? wish) === wish)
    if (joins) for (const [contact, wish] of wishes) asked.set(contact, wish)
    return joins
  }
}
