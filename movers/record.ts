/** What every reader of an export yields, and what it reads from. */

export interface ContactRecord {
  kind: 'contact'
  email: string
  /** False: opted out there. True: may receive marketing email. Absent: unknown, so the contact is not subscribed. */
  subscribed?: boolean | undefined
  data?: Record<string, unknown> | undefined
  /** The keys are those of topics. */
  topics?: Record<string, boolean> | undefined
  consent?: { at?: string | undefined; ip?: string | undefined; text?: string | undefined } | undefined
  place: Place
}

export interface SuppressionRecord {
  kind: 'suppression'
  email: string
  reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL'
  place: Place
}

export interface TopicRecord {
  kind: 'topic'
  /** In the other service. Templates and campaigns refer to it. */
  id?: string | undefined
  key: string
  name: string
  description?: string | null | undefined
  defaultSubscribed?: boolean | undefined
  isPublic?: boolean | undefined
}

export const CONTENT_KINDS = ['layout', 'saved-block', 'segment', 'template', 'campaign', 'workflow'] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

/** Created if there is none of this name. */
export interface ContentRecord {
  kind: ContentKind
  name: string
  /** In the other service. Other records refer to it. */
  id?: string | undefined
  body: Record<string, unknown>
  place: Place
}

/** Something that has no counterpart. */
export interface LeftRecord {
  kind: 'left'
  what: string
  why: string
}

export type MoveRecord = ContactRecord | SuppressionRecord | TopicRecord | ContentRecord | LeftRecord

/** Where a record is from, for the report. */
export interface Place {
  file: string
  line?: number | undefined
}

export interface MoveFile {
  /** With its folders, if it is from an archive. */
  name: string
  stream: () => ReadableStream<Uint8Array>
}

/** Requests JSON from the API of the service with the key of the user. */
export type Api = (path: string) => Promise<unknown>

export interface MoveInput {
  files: MoveFile[]
  api?: Api | undefined
  /** Whether people are subscribed whose export has no state of their subscription. */
  subscribe: boolean
}

/** One kind of export. `read` is called several times, and yields the same records in the same order. */
export interface Source {
  id: string
  title: string
  /** What to upload. */
  files: string
  read: (input: MoveInput) => AsyncIterable<MoveRecord>
  /** The origin of its API and the headers with a key; absent if only files are read. */
  api?: { origin: string; headers: (key: string) => Record<string, string> }
}

/** The file can't be read. Nothing after this line is. */
export class BrokenFile extends Error {
  constructor(file: string, line: number | undefined, message: string) {
    super(line === undefined ? `${file}: ${message}` : `${file}, line ${line}: ${message}`)
  }
}
