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

/** What happened to one of several recipients. */
export type RecipientResult =
  | { email: string; outcome: 'accepted' }
  /** Permanently, or for now. */
  | { email: string; outcome: 'rejected' | 'later'; reason: string }

/** The outcome is that of the first recipient. */
export type MailResult = {
  /** The result of each recipient, if there are several and the server decided about them one by one. */
  recipients?: RecipientResult[]
} & Outcome

type Outcome =
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

/** What distinguishes transports for the rest of the code, which never compares their kinds. */
export interface Capabilities {
  /** Messages are stored instead of sent, so they reach nobody, and their outcomes can be simulated. */
  captures: boolean
  /** When our DKIM signature is made: before sending, only when someone views the message, or never by us. */
  signing: 'on-send' | 'on-view' | 'by-provider'
  /** The provider reports through SNS what happened to messages after it accepted them. */
  receivesReports: boolean
}

/** Sender domains that the provider verifies and signs for. */
export interface ProviderIdentities {
  region: string
  /** Registers the domain if necessary, with `mailFrom` as the domain for bounces. */
  find(domain: string, mailFrom: string): Promise<IdentityResult>
}

export type IdentityResult =
  | {
      outcome: 'found'
      /** The provider accepts email from this domain. */
      verified: boolean
      dkimTokens: string[]
    }
  | { outcome: 'unknown'; reason: string }

export interface Transport extends OpenTransport {
  /** What is known about a transport (pauses, sending rates) is stored under its ID. Other settings have another ID. */
  id: string
}

/** What the file of a kind returns. */
export interface OpenTransport {
  /** For people: `capture`, `smtp` or `ses`. */
  kind: string
  capabilities: Capabilities
  /** The settings that contain the credentials, for error messages. */
  credentialSettings: string
  /** Absent if sender domains are verified only by their DNS records. */
  identities?: ProviderIdentities
  /** How many messages it sends at the same time; others wait. */
  parallel: number
  send(mail: OutgoingMail): Promise<MailResult>
  /** The provider's limits for this installation; absent if there are none. */
  quota?(): Promise<Quota>
  close(): Promise<void>
}
