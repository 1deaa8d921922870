/**
 * Resets and deletes projects. What users see is gone when the response is sent; large tables are emptied in batches,
 * within the request if that is fast, otherwise in a job. The tables, and how each is emptied, are declared by their
 * owners and passed in by app.ts.
 */
import type { Context } from '../../../context.ts'
import { invalidField, notFound } from '../../../kernel/errors.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import {
  BATCH_ROWS,
  deleteBatch,
  deleteRows,
  type Removals,
  type RowRange,
} from '../../../platform/database/project-rows.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { removeFirstKeys } from './actions.ts'
import { findName } from './queries.ts'
import * as queries from './removal-queries.ts'

/** About a hundred thousand rows. */
const REQUEST_MS = 8_000
/** If the process exits during the request, the job continues. */
const RECOVER_AFTER_MS = 60_000
/** Then other jobs run first. */
const JOB_BATCHES = 20
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface ActorOfReset extends Actor {
  /** A signed-in user must name the project; a key can only mean its own. */
  isPerson: boolean
}

export type ProjectRemoval = ReturnType<typeof createRemoval>

export function createRemoval(removals: Removals) {
  async function removeOnce(ctx: Context, projectId: string, range: RowRange): Promise<number> {
    const captured = await queries.deleteCapturedMessages(ctx.db, projectId, range.beforeId, BATCH_ROWS)
    return captured > 0 ? captured : transaction(ctx.db, (tx) => deleteBatch(tx, projectId, removals, range))
  }

  async function removeFor(ctx: Context, job: JobCatalogue['wipe-project'], ms: number): Promise<boolean> {
    const until = performance.now() + ms
    while (performance.now() < until) {
      if ((await removeOnce(ctx, job.projectId, rangeOf(job))) === 0) return true
    }
    return false
  }

  /** Deletes the rest of a project's data, and the project itself. */
  async function removeProject(tx: Tx, projectId: string, range: RowRange): Promise<void> {
    await queries.lockProject(tx, projectId)
    await deleteRows(tx, projectId, removals, 'at once')
    while ((await deleteBatch(tx, projectId, removals, range)) > 0);
    await deleteRows(tx, projectId, removals, 'with other rows', 'on closing', 'with the project')
    await queries.deleteProject(tx, projectId)
  }

  return {
    /** Deletes all working data of the project. Returns whether it is done or continues in the background. */
    async resetProject(ctx: Context, projectId: string, confirm: unknown, who: ActorOfReset) {
      const now = ctx.clock.now()
      const beforeId = firstIdAt(new Date(now.getTime() + 1))
      const job = { projectId, beforeId, until: now.toISOString(), remove: false }
      await transaction(ctx.db, async (tx) => {
        const name = await findName(tx, projectId)
        if (name === undefined) throw notFound('project', projectId)
        if (who.isPerson && confirm !== name) {
          throw invalidField('confirm', `Must be the name of the project, "${name}". This can't be undone.`)
        }
        await queries.recordReset(tx, projectId, beforeId, now)
        await deleteRows(tx, projectId, removals, 'at once')
        await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'project.reset', details: { name } })
        await enqueue(tx, 'wipe-project', job, { ...keyOf(job), runAt: new Date(now.getTime() + RECOVER_AFTER_MS) })
      })
      const complete = await removeFor(ctx, job, REQUEST_MS)
      if (!complete) await enqueue(ctx.db, 'wipe-project', job, keyOf(job))
      return { success: true as const, complete }
    },

    /** Keys and memberships stop working when this returns. */
    async deleteProject(ctx: Context, projectId: string, who: Actor): Promise<void> {
      const now = ctx.clock.now()
      await transaction(ctx.db, async (tx) => {
        await deleteRows(tx, projectId, removals, 'on closing')
        const project = await queries.closeProject(tx, projectId, now)
        if (!project) throw notFound('project', projectId)
        await deleteRows(tx, projectId, removals, 'at once')
        await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'project.deleted', details: { name: project.name } })
        const job = { projectId, beforeId: LAST_ID, until: now.toISOString(), remove: true }
        await enqueue(tx, 'wipe-project', job, keyOf(job))
        await enqueue(tx, 'end-subscription', { projectId })
      })
      await removeFirstKeys(ctx, projectId)
    },

    async deleteProjectData(ctx: Context, job: JobCatalogue['wipe-project']): Promise<void> {
      const range = rangeOf(job)
      for (let batch = 1; (await removeOnce(ctx, job.projectId, range)) > 0; batch++) {
        if (batch === JOB_BATCHES) {
          throw new TryAgainAt(ctx.clock.now(), { countsAsAttempt: false, reason: 'there is more to delete' })
        }
      }
      if (!job.remove) return
      await transaction(ctx.db, (tx) => removeProject(tx, job.projectId, range))
    },
  }
}

const keyOf = (job: JobCatalogue['wipe-project']) => ({ jobKey: `wipe:${job.projectId}:${job.beforeId}` })

const rangeOf = ({ beforeId, until }: JobCatalogue['wipe-project']): RowRange => ({ beforeId, until })
