/**
 * Every job with its payload and its defaults. A payload contains ids instead of contents: the handler reads the
 * current state, so a late job never acts on an old one. Any two jobs can run at the same time. A handler that must not
 * overlap takes its own lock. If OpenTelemetry is on, a payload may also have a `traceparent`.
 */
export interface JobCatalogue {
  /** `place`: in the line for the sending rate. */
  'deliver-email': { projectId: string; emailId: string; place?: number }
  /** At the time of the email. Another job of the same key replaces it. */
  'send-scheduled-email': { projectId: string; emailId: string }
  /** Sends an email to recipients in `cc` and `bcc` that were refused temporarily. */
  'deliver-copies': { projectId: string; emailId: string; attempt: number }
  'erase-contacts': { projectId: string; contactIds: string[] }
  /** The email of double opt-in. */
  'send-confirmation': { projectId: string; contactId: string; requestedAt: string }
  'process-notification': { messageId: string }
  /** Contains its text, which is generated from the state when it was enqueued. */
  'send-notice': {
    id: string
    queuedAt: string
    to: string
    subject: string
    text: string
    action?: string
    html?: string
  }
  'send-account-mail': { purpose: 'VERIFY_EMAIL' | 'RESET_PASSWORD'; email: string }
  'import-contacts': { projectId: string; jobId: string }
  /** A bulk change that is about a segment, topics or a workflow. */
  'change-contacts-for-target': { projectId: string; jobId: string }
  'change-contacts': { projectId: string; jobId: string }
  /** Those whose turn it is, at the rate of their import. */
  'send-import-confirmations': { projectId: string; jobId: string }
  'recheck-domains': Record<string, never>
  /** After a change of a warm-up. */
  'release-warm-up': { projectId: string }
  'remove-uploads': Record<string, never>
  'dispatch-event': { projectId: string; eventIds: string[]; depth: number }
  'run-workflow-step': { projectId: string; executionId: string; version: number }
  'set-workflow-alarms': Record<string, never>
  'start-segment': {
    projectId: string
    workflowId: string
    segmentId: string
    startId: string
    after: string | null
    /** Only contacts that were added to the stored members by this time. */
    joinedBefore?: string | undefined
  }
  /** `after`: the contact of the last execution that was handled. */
  'wake-executions': { projectId: string; workflowId: string; stepIds: string[]; after: string | null }
  /** Moves executions to another step, or past their wait if `to` is null. */
  'move-executions': { projectId: string; workflowId: string; stepId: string; to: string | null; after: string | null }
  /** After a step got other times: of the executions that wait at it. */
  'change-waits': { projectId: string; workflowId: string; stepId: string; after: string | null }
  'erase-workflow': { projectId: string; workflowId: string }
  'start-campaign': { projectId: string; campaignId: string; scheduledFor: string }
  /** `at`: the time of the recurrence that is handled. Does nothing if that isn't its next time. */
  'run-recurrence': { projectId: string; campaignId: string; at: string }
  'freeze-campaign': { projectId: string; campaignId: string }
  'send-campaign-slice': { projectId: string; campaignId: string; emailIds: string[] | null }
  /** A slice of a campaign that has waves. */
  'send-campaign-wave': { projectId: string; campaignId: string; emailIds: string[] | null }
  'decide-experiment': { projectId: string; campaignId: string }
  'complete-campaign': { projectId: string; campaignId: string }
  'clear-campaign': { projectId: string; campaignId: string }
  'recover-campaigns': Record<string, never>
  'wipe-project': { projectId: string; beforeId: string; until: string; remove: boolean }
  'refresh-subscription': { projectId: string }
  'end-subscription': { projectId: string }
  'make-partitions': Record<string, never>
  'fold-tallies': Record<string, never>
  'recompute-segments': Record<string, never>
  'record-segment-sizes': Record<string, never>
  'recompile-emails': { projectId: string; layoutId?: string; isRepeat?: boolean }
  'delete-old-bodies': Record<string, never>
  'delete-old-events': Record<string, never>
  'delete-old-emails': Record<string, never>
  'delete-expired': Record<string, never>
}

export type JobName = keyof JobCatalogue

/**
 * Lower runs first: a password reset doesn't wait for a campaign with a million recipients, or for another project that
 * sends a great many transactional emails at once (`burst`).
 */
export const PRIORITY = { transactional: 0, burst: 5, workflow: 10, campaign: 20, maintenance: 30 } as const

export type PriorityName = keyof typeof PRIORITY

/** The name of a priority in metrics. */
export const priorityName = (priority: number): PriorityName =>
  (Object.keys(PRIORITY) as PriorityName[]).find((name) => priority <= PRIORITY[name]) ?? 'maintenance'

export interface JobDefaults {
  /** How often the queue starts a job before it fails. Crashes and stops count too, so this number is high. */
  maxAttempts: number
  priority: number
}

export const JOB_DEFAULTS: { [N in JobName]: JobDefaults } = {
  'deliver-email': { maxAttempts: 25, priority: PRIORITY.transactional },
  'send-scheduled-email': { maxAttempts: 25, priority: PRIORITY.burst },
  'deliver-copies': { maxAttempts: 25, priority: PRIORITY.burst },
  'erase-contacts': { maxAttempts: 25, priority: PRIORITY.workflow },
  'send-confirmation': { maxAttempts: 25, priority: PRIORITY.transactional },
  'process-notification': { maxAttempts: 25, priority: PRIORITY.workflow },
  'send-notice': { maxAttempts: 15, priority: PRIORITY.transactional },
  'send-account-mail': { maxAttempts: 15, priority: PRIORITY.transactional },
  'import-contacts': { maxAttempts: 25, priority: PRIORITY.campaign },
  'change-contacts-for-target': { maxAttempts: 25, priority: PRIORITY.workflow },
  'change-contacts': { maxAttempts: 25, priority: PRIORITY.workflow },
  'send-import-confirmations': { maxAttempts: 25, priority: PRIORITY.workflow },
  'recheck-domains': { maxAttempts: 5, priority: PRIORITY.maintenance },
  'release-warm-up': { maxAttempts: 25, priority: PRIORITY.workflow },
  'remove-uploads': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'dispatch-event': { maxAttempts: 25, priority: PRIORITY.workflow },
  'run-workflow-step': { maxAttempts: 25, priority: PRIORITY.workflow },
  'set-workflow-alarms': { maxAttempts: 10, priority: PRIORITY.workflow },
  'start-segment': { maxAttempts: 25, priority: PRIORITY.workflow },
  'wake-executions': { maxAttempts: 25, priority: PRIORITY.workflow },
  'move-executions': { maxAttempts: 25, priority: PRIORITY.workflow },
  'change-waits': { maxAttempts: 25, priority: PRIORITY.workflow },
  'erase-workflow': { maxAttempts: 25, priority: PRIORITY.maintenance },
  'start-campaign': { maxAttempts: 25, priority: PRIORITY.workflow },
  'run-recurrence': { maxAttempts: 25, priority: PRIORITY.workflow },
  'freeze-campaign': { maxAttempts: 25, priority: PRIORITY.campaign },
  'send-campaign-slice': { maxAttempts: 25, priority: PRIORITY.campaign },
  'send-campaign-wave': { maxAttempts: 25, priority: PRIORITY.campaign },
  'decide-experiment': { maxAttempts: 25, priority: PRIORITY.workflow },
  'complete-campaign': { maxAttempts: 25, priority: PRIORITY.workflow },
  'clear-campaign': { maxAttempts: 25, priority: PRIORITY.maintenance },
  'recover-campaigns': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'wipe-project': { maxAttempts: 25, priority: PRIORITY.maintenance },
  'refresh-subscription': { maxAttempts: 25, priority: PRIORITY.workflow },
  'end-subscription': { maxAttempts: 25, priority: PRIORITY.workflow },
  'make-partitions': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'fold-tallies': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'recompute-segments': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'record-segment-sizes': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'recompile-emails': { maxAttempts: 10, priority: PRIORITY.workflow },
  'delete-old-bodies': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'delete-old-events': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'delete-old-emails': { maxAttempts: 10, priority: PRIORITY.maintenance },
  'delete-expired': { maxAttempts: 10, priority: PRIORITY.maintenance },
}

export const JOB_NAMES = Object.keys(JOB_DEFAULTS) as JobName[]

/** What a handler gets in addition to the payload. */
export interface JobRun {
  /** 1 for the first attempt. */
  attempt: number
  /** The priority of the job; absent if a handler is called directly. */
  priority?: number
  /** When the job was due. */
  at: Date
}

export type JobHandlers = { [N in JobName]: (payload: JobCatalogue[N], job: JobRun) => Promise<void> }

/**
 * Called when a job has failed permanently: its last attempt threw an error, or its process exited during it. The work
 * of the job is then recorded as failed, instead of staying unfinished.
 */
export type FailureHandlers = { [N in JobName]?: (payload: JobCatalogue[N]) => Promise<void> }

/** `postponed`: the handler threw `TryAgainAt`, which is not a failure. */
export type JobOutcome = 'done' | 'postponed' | 'failed' | 'gave-up'

/** The part of a pino logger that the queue uses. */
export interface QueueLog {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
