/** Bulk changes of contacts can start a workflow. This is the last feature that they need, so it also lists the others. */
import { conflict } from '../../../kernel/errors.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { Target } from '../../audience/imports/actions.ts'
import { matchingContacts } from '../../audience/segments/actions.ts'
import { segmentTarget } from '../../audience/segments/members.ts'
import { recordWorkflowAct, requireWorkflow } from '../workflows/actions.ts'
import { DISABLED } from './actions.ts'
import { startForContacts } from './queries.ts'

/** Contacts that can't enter the workflow are left out. */
const workflowTarget: Target<string> = {
  async prepare(ctx, projectId, workflowId, who) {
    const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
    if (!workflow.enabled) throw conflict(DISABLED)
    await transaction(ctx.db, (tx) =>
      recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-started', details: {} }, who),
    )
  },
  async change(ctx, tx, projectId, workflowId, { contactIds, jobId }) {
    const start = { startId: jobId, workflowId, contactIds }
    const found = await startForContacts(tx, projectId, start, ctx.clock.now())
    return new Map(found.map(({ id, entered }) => [id, entered]))
  },
}

/** How bulk changes find contacts, and what they can be about. */
export const bulkTools = {
  matching: matchingContacts,
  targets: { segmentId: segmentTarget, workflowId: workflowTarget },
}
