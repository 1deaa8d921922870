/**
 * Every job there is, what it carries, and how it is treated unless told otherwise.
 * A payload holds ids, not contents: the handler reads the present state, so a late job never acts on an old one.
 *
 * There are no named (serial) queues: a worker fetches jobs in batches, and a batch may hold several jobs of one
 * named queue, which then run side by side (seen: five at once). What must not overlap takes a lock of its own.
 */
export interface JobCatalogue {
  'deliver-email': { projectId: string; emailId: string }
  'erase-contacts': { projectId: string; contactIds: string[] }
  'import-contacts': { projectId: string; jobId: string }
  'change-contacts': { projectId: string; jobId: string }
  'make-partitions': Record<string, never>
  'fold-contact-counts': Record<string, never>
  'forget-bodies': Record<string, never>
  'forget-expired': Record<string, never>
}

export type JobName = keyof JobCatalogue

/** Lower runs first: a password reset overtakes a campaign of a million. */
export const PRIORITY = { transactional: 0, workflow: 10, campaign: 20, maintenance: 30 } as const

export interface JobDefaults {
  /** How often the queue starts a job before it gives up. A crash counts as one, so this is kept generous. */
  maxAttempts: number
  priority: number
}

export const JOB_DEFAULTS: { [N in JobName]: JobDefaults } = {
  'deliver-email': { maxAttempts: 25, priority: PRIORITY.transactional },
  'erase-contacts': { maxAttempts: 25, priority: PRIORITY.workflow },
  'import-contacts': { maxAttempts: 10, priority: PRIORITY.campaign },
  'change-contacts': { maxAttempts: 10, priority: PRIORITY.workflow },
  'make-partitions': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'fold-contact-counts': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'forget-bodies': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'forget-expired': { maxAttempts: 10, priority: PRIORITY.maintenance },
}

export const JOB_NAMES = Object.keys(JOB_DEFAULTS) as JobName[]

/** What a handler may know about its job besides the payload. */
export interface JobRun {
  /** 1 for the first try. */
  attempt: number
  maxAttempts: number
  /** When the job was due. */
  at: Date
}

export type JobHandlers = { [N in JobName]: (payload: JobCatalogue[N], job: JobRun) => Promise<void> }

/** `postponed`: the handler threw `TryAgainAt`, which is a plan and not a fault. */
export type JobOutcome = 'done' | 'postponed' | 'failed' | 'gave-up'

/** The part of a pino logger that the queue uses. */
export interface QueueLog {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
