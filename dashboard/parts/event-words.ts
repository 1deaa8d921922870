/** What the service itself records, in words people use. */

const WORDS: Record<string, string> = {
  queued: 'Accepted',
  'contact.unsubscribed': 'Unsubscribed',
  'contact.subscribed': 'Subscribed',
  'email.sent': 'Sent',
  'email.delivery': 'Delivered',
  'email.open': 'Opened',
  'email.click': 'Clicked',
  'email.bounce': 'Bounced',
  'email.complaint': 'Marked as spam',
  'email.received': 'Received',
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const eventWords = (name: string): string => WORDS[name] ?? capitalised(name)

/** Recorded by the service, not tracked by its users. */
export const isOurs = (name: string): boolean => /^(email|contact|segment)\./.test(name)

const BAD = ['email.bounce', 'email.complaint']

export const isBad = (name: string): boolean => BAD.includes(name)
