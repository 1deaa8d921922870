/** New times of a step for the executions that wait at it: their waits end as if the step had always been like this. */
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { waitUntil } from '../../steps/registry.ts'
import { readRunnableGraph } from '../../workflows/actions.ts'
import { ALARM_AHEAD_MS } from '../advance.ts'
import * as queries from './wait-queries.ts'

const CHANGE_AT_ONCE = 1_000
/** Then other jobs can run. */
const BATCHES_MAX = 20

type Job = JobCatalogue['change-waits']

export async function changeWaits(ctx: Context, job: Job, batchMax = CHANGE_AT_ONCE): Promise<void> {
  let { after } = job
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    after = await transaction(ctx.db, (tx) => changeSome(ctx, tx, { ...job, after }, batchMax))
    if (after === null) return
  }
  await enqueue(ctx.db, 'change-waits', { ...job, after })
}

/** The next executions in the order of contacts. Returns the last contact, or null after the last batch. */
async function changeSome(ctx: Context, tx: Tx, job: Job, batchMax: number): Promise<string | null> {
  const { projectId, workflowId, stepId } = job
  const now = ctx.clock.now()
  const { steps } = await readRunnableGraph(tx, projectId, workflowId)
  const step = steps.find(({ id }) => id === stepId)
  if (!step) return null
  const waits = await queries.lockWaits(tx, { ...job, batchMax }, now)
  const changes = waits.flatMap(({ id, resumeAt, since, ...contact }) => {
    const until = waitUntil(step, { contact: { ...contact, id: contact.contactId }, since, now })
    return until === undefined || until?.getTime() === resumeAt?.getTime() ? [] : [{ id, until }]
  })
  if (changes.length > 0) {
    await queries.changeWaits(tx, projectId, changes, { now, soon: new Date(now.getTime() + ALARM_AHEAD_MS) })
  }
  return waits.length === batchMax ? waits.at(-1)!.contactId : null
}
