/**
 * After a restore nothing is sent that may have been sent since the backup was made, and nothing that people would not
 * expect from what may be only a copy: campaigns are paused, unsent mail waits for a person, and contacts on their way
 * through workflows stand still. New requests are served as ever.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { HOLD_CAMPAIGNS } from './features/campaigns/queries.ts'
import { PAUSE_EXECUTIONS, RESUME_EXECUTIONS } from './features/executions/contact-queries.ts'
import { FAIL_UNSENT_EMAILS } from './features/outbox/change-queries.ts'
import { countOf } from './kernel/errors.ts'
import type { CopiedJob } from './platform/queue/job-table.ts'

export interface Holds {
  restoredAt: string
  /** When the backup was made. */
  madeAt: string
  campaigns: number
  emails: number
  executions: number
}

/** Their work is held, or found anew by whoever lets it go on. */
const HELD_JOBS = new Set([
  'deliver-email',
  'start-campaign',
  'freeze-campaign',
  'send-campaign-slice',
  'settle-campaign',
  'run-workflow-step',
  'dispatch-event',
  'send-notice',
  'send-account-mail',
])

export const isHeld = (job: CopiedJob): boolean => HELD_JOBS.has(job.name)

export async function holdEverything(client: ClientBase, madeAt: string, now: Date): Promise<Holds> {
  const reason = `Restored from a backup of ${madeAt}. Check what was sent since then, and resume the campaign.`
  const change = async (text: string, values: unknown[]) => (await client.query(text, values)).rowCount ?? 0
  const campaigns = await change(HOLD_CAMPAIGNS, [reason, now])
  const emails = await change(FAIL_UNSENT_EMAILS, [
    `Not sent: restored from a backup of ${madeAt}. It may have been sent since then; resend it if it wasn't.`,
    now,
  ])
  const executions = await change(PAUSE_EXECUTIONS, [])
  return { restoredAt: now.toISOString(), madeAt, campaigns, emails, executions }
}

/** Contacts go on through their workflows: those who wait, at their time; the others now. */
export async function releaseWorkflows(client: ClientBase): Promise<number> {
  const { rowCount } = await client.query(RESUME_EXECUTIONS)
  return rowCount ?? 0
}

const fileOf = (dataDir: string) => path.join(dataDir, 'restored.json')

export const keepHolds = (dataDir: string, holds: Holds): Promise<void> =>
  writeFile(fileOf(dataDir), `${JSON.stringify(holds, null, 2)}\n`, { mode: 0o600 })

export const forgetHolds = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true })

/** What the service says at every start until somebody has let the workflows go on. */
export async function restoredWords(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : holdsWords(JSON.parse(text))
}

export const holdsWords = ({ madeAt, campaigns, emails, executions }: Holds): string =>
  `This installation was restored from a backup of ${madeAt}. Paused: ${countOf(campaigns, 'campaign')}, and the workflows of ` +
  `${countOf(executions, 'contact')}. Marked FAILED: ${countOf(emails, 'unsent email')}. Check what was sent since then. Then resume or ` +
  'schedule campaigns in the dashboard, and run `posthorn restore --continue` (in a clone: `npm run restore -- --continue`) to resume the workflows.'
