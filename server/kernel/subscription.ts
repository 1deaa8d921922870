/**
 * How a write changes a contact's subscription, and who receives marketing email. `subscriptionSql` and
 * `excludedFromMarketingSql` in contacts/queries.ts are the same rules in SQL; a test compares them case by case.
 */

export interface Subscription {
  subscribed: boolean
  /** Was subscribed and no longer is, or declined. A contact that was never asked has not opted out. */
  optedOut: boolean
}

export interface SubscriptionRequest {
  /** If absent, the subscription is unchanged. */
  subscribed: boolean | undefined
  /**
   * The contact's own decision, or a report about the address: declining opts out even if the contact wasn't
   * subscribed.
   */
  byContact?: boolean
}

/** Whether a new contact is subscribed if the request doesn't specify it, by the source of the contact. */
export const SUBSCRIBED_IF_NEW = { contacts: true, track: true, import: true, send: false, inbound: false } as const

export function subscriptionAfter(
  before: Subscription,
  { subscribed, byContact = false }: SubscriptionRequest,
): Subscription {
  const after = subscribed ?? before.subscribed
  const declined = byContact && subscribed === false
  return { subscribed: after, optedOut: !after && (before.optedOut || before.subscribed || declined) }
}

/** `never`: neither subscribed nor opted out, such as a contact that only received transactional email. */
export type SubscriptionState = 'subscribed' | 'unsubscribed' | 'never'

export const subscriptionState = ({ subscribed, optedOut }: Subscription): SubscriptionState =>
  subscribed ? 'subscribed' : optedOut ? 'unsubscribed' : 'never'

/**
 * Who doesn't receive email that can be unsubscribed from (every content type but TRANSACTIONAL). Campaigns and workflows
 * send it to subscribed contacts only. A request may also send it to a contact that was never asked. Whatever the
 * subscription, a suppressed address receives none.
 */
export type MarketingBy = 'audience' | 'request'

export const excludedFromMarketing = {
  audience: ({ subscribed }: Pick<Subscription, 'subscribed'>): boolean => !subscribed,
  request: ({ optedOut }: Pick<Subscription, 'optedOut'>): boolean => optedOut,
} satisfies Record<MarketingBy, (contact: Subscription) => boolean>
