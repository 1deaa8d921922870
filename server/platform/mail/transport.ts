/**
 * How mail leaves. One file a transport, all with the same answer: accepted, rejected for good, or try later,
 * with the server's own words for the ledger.
 */
export interface OutgoingMail {
  /** Our own id of the email, for logs and for what comes back. */
  id: string
  /** Without angle brackets. */
  messageId: string
  /** 1 for the first try. */
  attempt: number
  sender: string
  recipients: string[]
  raw: Buffer
}

export type MailResult =
  | {
      outcome: 'accepted'
      /** The name under which the provider knows the message. */
      providerId: string
      /** The transport knows already that it arrived. */
      delivered: boolean
    }
  /** The message will never be taken. */
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'later'; reason: string }

export interface Transport {
  /** Shown to people: `capture`, `smtp` or `ses`. */
  name: string
  send(mail: OutgoingMail): Promise<MailResult>
  close(): Promise<void>
}
