/** A project's settings. Whoever changes them is in the audit log. */
import type { Context } from '../../context.ts'
import { notFound } from '../../kernel/errors.ts'
import { transaction } from '../../platform/database/transaction.ts'
import * as queries from './administration-queries.ts'
import { type Actor, recordAct } from './audit.ts'
import { findRole } from './queries.ts'
import { showProject } from './show-project.ts'

export async function changeProject(
  ctx: Context,
  projectId: string,
  change: queries.ProjectChange,
  who: Actor & { userId?: string | undefined },
) {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const row = await transaction(ctx.db, async (tx) => {
    const changed = await queries.updateProject(tx, projectId, given, ctx.clock.now())
    if (!changed) throw notFound('project', projectId)
    const { actor, ip } = who
    await recordAct(ctx, tx, { projectId, actor, ip, act: 'project.changed', details: given })
    return changed
  })
  const role = who.userId ? await findRole(ctx.db, projectId, who.userId) : undefined
  return showProject({ ...row, role: role ?? null })
}

export const getSetupState = (ctx: Context, projectId: string) => queries.findSetupState(ctx.db, projectId)
