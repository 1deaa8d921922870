/**
 * How a write changes a contact's subscription, and who receives marketing email. `subscriptionSql` and
 * `excludedFromMarketingSql` in the queries of contacts are the same rules in SQL; a test compares them case by case.
 */

export interface Subscription {
  subscribed: boolean
  /** Was subscribed and no longer is, or declined. A contact that was never asked has not opted out. */
  optedOut: boolean
  /** The opt-out was made through the API, and not by the contact or a report about the address. */
  optedOutByApi?: boolean
  /** Has been asked to confirm the subscription by email, and hasn't done so. Subscribing or declining ends it. */
  pending?: boolean
}

export interface SubscriptionRequest {
  /** If absent, the subscription is unchanged. */
  subscribed: boolean | undefined
  /**
   * The contact's own decision, or a report about the address: declining opts out even if the contact wasn't
   * subscribed.
   */
  byContact?: boolean
  /** Requested with a key that visitors of a website have. */
  byPublicKey?: boolean
}

/** Whether a new contact is subscribed if the request doesn't specify it, by the source of the contact. */
export const SUBSCRIBED_IF_NEW = { contacts: true, track: true, import: true, send: false, inbound: false } as const

/**
 * With the public key, anyone can name any address. It therefore doesn't undo an opt-out that the contact made, or that
 * a report about the address caused, and doesn't replace a confirmation. The same applies to topics.
 */
export const publicKeyMaySubscribe = ({ optedOut, optedOutByApi, pending }: Subscription): boolean =>
  !pending && (!optedOut || optedOutByApi === true)

export function subscriptionAfter(
  before: Subscription,
  { subscribed: requested, byContact = false, byPublicKey = false }: SubscriptionRequest,
): Required<Subscription> {
  const ignored = byPublicKey && requested === true && !publicKeyMaySubscribe(before)
  const subscribed = ignored ? before.subscribed : (requested ?? before.subscribed)
  const declines = byContact && requested === false
  const optedOut = !subscribed && (before.optedOut || before.subscribed || declines)
  const wasDeclined = before.optedOut && !before.optedOutByApi
  return {
    subscribed,
    optedOut,
    optedOutByApi: optedOut && !wasDeclined && !declines,
    pending: (before.pending ?? false) && !subscribed && !declines,
  }
}

/** `never`: neither subscribed nor opted out, such as a contact that only received transactional email. */
export type SubscriptionState = 'subscribed' | 'unsubscribed' | 'never'

export const subscriptionState = ({ subscribed, optedOut }: Subscription): SubscriptionState =>
  subscribed ? 'subscribed' : optedOut ? 'unsubscribed' : 'never'

/** A topic as the rule needs it. */
export interface TopicRule {
  /** Identifies the topic in `Reader.topics`. */
  number: number
  /** Whether subscribed contacts receive it until they opt out of it; otherwise only those who opted in. */
  defaultSubscribed: boolean
}

/** What decides whether a contact receives marketing email. */
export interface Reader extends Subscription {
  /** Until then, the contact receives none. */
  pausedUntil: Date | null
  /** The contact's decisions: the numbers of topics, negative for those that the contact opted out of. */
  topics: readonly number[]
}

/** Whether the contact chose the topic, whatever the subscription. */
export const isInTopic = (topics: readonly number[], { number, defaultSubscribed }: TopicRule): boolean =>
  defaultSubscribed ? !topics.includes(-number) : topics.includes(number)

/**
 * Who doesn't receive email that can be unsubscribed from (every content type but TRANSACTIONAL). Campaigns and workflows
 * send it to subscribed contacts only. A request may also send it to a contact that was never asked, unless its
 * confirmation is pending. Email with a topic is only for subscribed contacts in that topic. Whatever the subscription, a suppressed address receives none.
 */
export type MarketingBy = 'audience' | 'request'

export interface MarketingEmail {
  by: MarketingBy
  topic?: TopicRule | undefined
  now: Date
}

export const EXCLUSIONS = {
  paused: 'the contact has paused marketing email',
  unsubscribed: 'the contact has unsubscribed',
  topic: 'the contact is not subscribed to the topic',
} as const

/** Why the contact doesn't receive the email; undefined if it does. */
export function exclusionOf(reader: Reader, { by, topic, now }: MarketingEmail): keyof typeof EXCLUSIONS | undefined {
  const declined = reader.optedOut || reader.pending === true
  if (by === 'audience' || topic ? !reader.subscribed : declined) return 'unsubscribed'
  if (reader.pausedUntil && reader.pausedUntil > now) return 'paused'
  return topic && !isInTopic(reader.topics, topic) ? 'topic' : undefined
}
