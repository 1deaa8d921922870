/**
 * How email is sent. One file per transport, all with the same results: accepted, permanently rejected, retry later, or
 * the transport itself is unavailable, with the response of the server.
 */
export interface OutgoingMail {
  /** Our own ID of the email, for logs and bounces. */
  id: string
  /** Without angle brackets. */
  messageId: string
  /** 1 for the first attempt. */
  attempt: number
  /** The envelope sender, to which bounces are sent. */
  sender: string
  recipients: string[]
  raw: Buffer
  /** The priority of its job; lower is more urgent. Messages that wait for a connection are served in this order. */
  priority: number
  /** Messages of the same priority are served in turns of projects. Absent for one of the installation. */
  projectId?: string
  /** An account or notification email of the installation, which belongs to no project. */
  system?: boolean
}

export type MailResult =
  | {
      outcome: 'accepted'
      /** The provider's ID of the message. */
      providerId: string
      /** The transport has already confirmed delivery. */
      delivered: boolean
      /** The simulated outcome, for transports that simulate a mail server. */
      simulatedOutcome?: 'bounce' | 'soft bounce' | 'complaint'
    }
  /** A permanent rejection: because of the recipient's address, or because of the message or sender. */
  | { outcome: 'rejected'; reason: string; because: 'address' | 'message' }
  | { outcome: 'later'; reason: string }
  /** The message is not at fault: no email can be sent now. */
  | {
      outcome: 'unavailable'
      reason: string
      /** The failure was a response to this message, so if others are accepted, the message is at fault. */
      aboutOne?: boolean
      /** The user, the password or the access key is wrong, so a retry fails until the settings are changed. */
      credentialsRefused?: boolean
    }

/** The start of the reason of every job that waits because no email can be sent. */
export const CANNOT_SEND = 'email cannot be sent: '

export interface Quota {
  perSecond: number
  /** Messages left in the provider's current day. */
  leftToday: number
}

export interface Transport {
  /** The displayed name: `capture`, `smtp` or `ses`. */
  name: string
  /** When our DKIM signature is made: before sending, only when someone views the message, or never by us. */
  signing: 'on-send' | 'on-view' | 'by-provider'
  /** How many messages it sends at the same time; others wait. */
  parallel: number
  send(mail: OutgoingMail): Promise<MailResult>
  /** The provider's limits for this installation; absent if there are none. */
  quota?(): Promise<Quota>
  close(): Promise<void>
}
