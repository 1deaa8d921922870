/**
 * After a restore, nothing is sent automatically that may already have been sent since the backup: campaigns are
 * paused, unsent emails are marked as failed, and workflow executions are paused. New requests are served as usual.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { PAUSE_CAMPAIGNS } from '../features/automation/campaigns/queries.ts'
import { PAUSE_RECURRENCES } from '../features/automation/campaigns/recurrences/queries.ts'
import { PAUSE_EXECUTIONS, RESUME_EXECUTIONS } from '../features/automation/executions/contact-queries.ts'
import { FAIL_UNSENT_EMAILS } from '../features/mail/outbox/change-queries.ts'
import { countOf } from '../kernel/errors.ts'
import type { CopiedJob } from '../platform/queue/job-table.ts'

export interface RestoreReport {
  restoredAt: string
  /** The time of the backup. */
  madeAt: string
  campaigns: number
  emails: number
  executions: number
}

/** Jobs that are not restored: their work is paused, or found again when it is resumed. */
const SKIPPED_JOBS = new Set([
  'deliver-email',
  'send-scheduled-email',
  'deliver-copies',
  'start-campaign',
  'run-recurrence',
  'freeze-campaign',
  'send-campaign-slice',
  'send-campaign-wave',
  'decide-experiment',
  'complete-campaign',
  'settle-campaign', // the name of complete-campaign in older backups
  'run-workflow-step',
  'wake-executions',
  'move-executions',
  'dispatch-event',
  'send-notice',
  'send-account-mail',
])

export const isSkipped = (job: CopiedJob): boolean => SKIPPED_JOBS.has(job.name)

export async function pauseEverything(client: ClientBase, madeAt: string, now: Date): Promise<RestoreReport> {
  const reason = `Restored from a backup of ${madeAt}. Check what was sent since then, and resume the campaign.`
  const change = async (text: string, values: unknown[]) => (await client.query(text, values)).rowCount ?? 0
  const campaigns = await change(PAUSE_CAMPAIGNS, [reason, now])
  // Older backups don't have the table.
  if (await change("select where to_regclass('campaign_recurrences') is not null", []))
    await change(PAUSE_RECURRENCES, [])
  const emails = await change(FAIL_UNSENT_EMAILS, [
    `Not sent: restored from a backup of ${madeAt}. It may have been sent since then; resend it if it wasn't.`,
    now,
  ])
  const executions = await change(PAUSE_EXECUTIONS, [])
  return { restoredAt: now.toISOString(), madeAt, campaigns, emails, executions }
}

/** Resumes workflow executions: waiting ones at their time, the others now. */
export async function resumeWorkflows(client: ClientBase): Promise<number> {
  const { rowCount } = await client.query(RESUME_EXECUTIONS)
  return rowCount ?? 0
}

const fileOf = (dataDir: string) => path.join(dataDir, 'restored.json')

export const saveRestoreReport = (dataDir: string, report: RestoreReport): Promise<void> =>
  writeFile(fileOf(dataDir), `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })

export const deleteRestoreReport = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true })

/** The message at every start until workflows are resumed. */
export async function restoredMessage(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : describeRestore(JSON.parse(text))
}

export const describeRestore = ({ madeAt, campaigns, emails, executions }: RestoreReport): string =>
  `This installation was restored from a backup of ${madeAt}. Paused: ${countOf(campaigns, 'campaign')} and ` +
  `${countOf(executions, 'workflow execution')}. Marked FAILED: ${countOf(emails, 'unsent email')}. Check what was sent since then. Then resume or ` +
  'schedule campaigns in the dashboard, and run `posthorn restore --continue` (in a checkout: `npm run restore -- --continue`) to resume workflow executions.'
