/**
 * How email is sent. One file per transport, all with the same results: accepted, permanently rejected, retry later, or
 * the transport itself is unavailable, with the response of the server.
 */
export interface OutgoingMail {
  /** Our own id of the email, for logs and for what comes back. */
  id: string
  /** Without angle brackets. */
  messageId: string
  /** 1 for the first try. */
  attempt: number
  /** The envelope's sender: bounces go there. */
  sender: string
  recipients: string[]
  raw: Buffer
  /** Of its job; lower is more urgent. Messages that wait for a connection are served in this order. */
  priority: number
}

export type MailResult =
  | {
      outcome: 'accepted'
      /** The name under which the provider knows the message. */
      providerId: string
      /** The transport knows already that it arrived. */
      delivered: boolean
      /** What will be heard about it, for transports that only play the part of a mail server. */
      heardNext?: 'bounce' | 'soft bounce' | 'complaint'
    }
  /** It will never be taken: because of the recipient's address, or because of the message and us. */
  | { outcome: 'rejected'; reason: string; because: 'address' | 'message' }
  | { outcome: 'later'; reason: string }
  /** Nothing is wrong with the message: nobody's mail would get through now. */
  | {
      outcome: 'unavailable'
      reason: string
      /** It was said in answer to this message, so if others get through it is the message after all. */
      aboutOne?: boolean
    }

export interface Quota {
  perSecond: number
  /** Messages left in the provider's current day. */
  leftToday: number
}

export interface Transport {
  /** Shown to people: `capture`, `smtp` or `ses`. */
  name: string
  /** When our DKIM signature is made: before sending, only when someone views the message, or never by us. */
  signing: 'on-send' | 'on-view' | 'by-provider'
  /** How many messages it sends at the same time; others wait for one of them. */
  parallel: number
  send(mail: OutgoingMail): Promise<MailResult>
  /** What the provider allows this installation as a whole; absent where nobody sets a limit. */
  quota?(): Promise<Quota>
  close(): Promise<void>
}
