/**
 * The one rule of subscriptions: what a write makes of one. `subscriptionSql` in contacts/subscription-queries.ts is the
 * same rule for statements, and `writeFlipsStep` records the events; a test compares the two case by case.
 */

export interface Subscription {
  subscribed: boolean
  /** Was subscribed and is no longer, or said no. A contact who was never asked has not opted out. */
  optedOut: boolean
}

export interface SubscriptionWish {
  /** Absent: the subscription stays as it is. */
  subscribed: boolean | undefined
  /** The decision of the contact, or a report about the address: saying no opts out even if nothing was subscribed. */
  byContact?: boolean
}

/** Whether a new contact is subscribed if the request leaves it open, by where the contact comes from. */
export const SUBSCRIBED_IF_NEW = { contacts: true, track: true, import: true, send: false, inbound: false } as const

export function subscriptionAfter(
  before: Subscription,
  { subscribed, byContact = false }: SubscriptionWish,
): Subscription {
  const after = subscribed ?? before.subscribed
  const saidNo = byContact && subscribed === false
  return { subscribed: after, optedOut: !after && (before.optedOut || before.subscribed || saidNo) }
}

/** `never`: neither subscribed nor opted out, as a contact is who only ever received transactional email. */
export type SubscriptionState = 'subscribed' | 'unsubscribed' | 'never'

export const subscriptionState = ({ subscribed, optedOut }: Subscription): SubscriptionState =>
  subscribed ? 'subscribed' : optedOut ? 'unsubscribed' : 'never'
