/** The wait of an experiment between its test and its decision. */
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { type ExperimentRow, setDecideAt } from './queries.ts'

const MINUTE_MS = 60_000

/** A waiting job with this key is replaced. */
export const decideKey = (campaignId: string): string => `decide-experiment ${campaignId}`

export async function startWait(
  tx: Tx,
  {
    project_id: projectId,
    campaign_id: campaignId,
    wait_minutes,
  }: Pick<ExperimentRow, 'project_id' | 'campaign_id' | 'wait_minutes'>,
  now: Date,
): Promise<void> {
  const runAt = new Date(now.getTime() + wait_minutes * MINUTE_MS)
  await setDecideAt(tx, projectId, campaignId, runAt)
  await enqueue(tx, 'decide-experiment', { projectId, campaignId }, { runAt, jobKey: decideKey(campaignId) })
}
