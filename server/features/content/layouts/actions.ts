/**
 * Layouts are a header and a footer that emails refer to: a change applies to all of them. Saved blocks are copied into
 * an email when they are inserted.
 */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { type Actor, changesOf, recordAuditEntry } from '../../record/audit/actions.ts'
import { refuseUnsafeBlocks, SAVE_MS_MAX } from '../documents/actions.ts'
import * as queries from './queries.ts'
import type { LayoutChanges, NewLayout, NewSavedBlocks, SavedBlocksChanges } from './schemas.ts'

const LAYOUTS_MAX = 100
const SAVED_BLOCKS_MAX = 300

export async function listLayouts(ctx: Context, projectId: string) {
  const rows = await queries.listLayouts(ctx.db, projectId)
  return rows.map((row) => ({ ...showEntry(row), emails: row.emails }))
}

export const getLayout = async (ctx: Context, projectId: string, id: string) =>
  showLayout(found('layout', id, await queries.findLayout(ctx.db, projectId, id)))

export async function createLayout(ctx: Context, projectId: string, input: z.output<typeof NewLayout>, who: Actor) {
  await refuseUnsafe(ctx, projectId, input)
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const row = await queries.insertLayout(tx, projectId, newId(now), input, LAYOUTS_MAX, now)
    if (!row) throw conflict(`A project can have at most ${LAYOUTS_MAX} layouts. Delete one first.`)
    const details = { layoutId: row.id, name: row.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'layout.created', details })
    return showLayout(row)
  })
}

/** The emails that use it are compiled again in the background. */
export async function changeLayout(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof LayoutChanges>,
  who: Actor,
  ifMatch?: string,
) {
  await refuseUnsafe(ctx, projectId, changes)
  const row = await transaction(ctx.db, async (tx) => {
    requireUnchanged(ifMatch, found('layout', id, await queries.lockLayout(tx, projectId, id)))
    const before = await queries.findLayout(tx, projectId, id)
    const changed = found('layout', id, await queries.updateLayout(tx, projectId, id, changes, ctx.clock.now()))
    if (changes.header || changes.footer)
      await enqueue(
        tx,
        'recompile-emails',
        { projectId, layoutId: id },
        { jobKey: `recompile-emails ${projectId} ${id}` },
      )
    const differences = before && changesOf(showLayout(before), showLayout(changed))
    const details = { layoutId: id, name: changed.name, ...differences }
    if (differences) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'layout.changed', details })
    return changed
  })
  return showLayout(row)
}

const refuseUnsafe = (
  ctx: Context,
  projectId: string,
  { header = [], footer = [] }: z.output<typeof LayoutChanges>,
): Promise<void> => refuseUnsafeBlocks(ctx, projectId, { header, footer })

export async function deleteLayout(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.lockLayout(tx, projectId, id))) throw notFound('layout', id)
    const emails = await queries.countUsers(tx, projectId, id)
    if (emails > 0)
      throw conflict(
        `The layout is used by ${emails} ${emails === 1 ? 'email' : 'emails'}. Choose another layout for ${emails === 1 ? 'it' : 'them'} first.`,
      )
    const layout = await queries.findLayout(tx, projectId, id)
    await queries.deleteLayout(tx, projectId, id)
    const details = { layoutId: id, name: layout?.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'layout.deleted', details })
  })
}

export const listSavedBlocks = async (ctx: Context, projectId: string) =>
  (await queries.listSavedBlocks(ctx.db, projectId)).map(showEntry)

export const getSavedBlocks = async (ctx: Context, projectId: string, id: string) =>
  showSavedBlocks(found('saved block', id, await queries.findSavedBlocks(ctx.db, projectId, id)))

export async function createSavedBlocks(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewSavedBlocks>,
  who: Actor,
) {
  await refuseUnsafeBlocks(ctx, projectId, { blocks: input.blocks })
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const row = await queries.insertSavedBlocks(tx, projectId, newId(now), input, SAVED_BLOCKS_MAX, now)
    if (!row) throw conflict(`A project can have at most ${SAVED_BLOCKS_MAX} saved blocks. Delete one first.`)
    const details = { savedBlockId: row.id, name: row.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'saved-blocks.created', details })
    return showSavedBlocks(row)
  })
}

export async function changeSavedBlocks(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof SavedBlocksChanges>,
  who: Actor,
  ifMatch?: string,
) {
  await refuseUnsafeBlocks(ctx, projectId, { blocks: changes.blocks ?? [] })
  return transaction(ctx.db, async (tx) => {
    requireUnchanged(ifMatch, found('saved block', id, await queries.lockSavedBlocks(tx, projectId, id)))
    const before = await queries.findSavedBlocks(tx, projectId, id)
    const updated = await queries.updateSavedBlocks(tx, projectId, id, changes, ctx.clock.now())
    const after = showSavedBlocks(found('saved block', id, updated))
    const differences = before && changesOf(showSavedBlocks(before), after)
    const details = { savedBlockId: id, name: after.name, ...differences }
    if (differences) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'saved-blocks.changed', details })
    return after
  })
}

export async function deleteSavedBlocks(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const blocks = await queries.findSavedBlocks(tx, projectId, id)
    if (!(await queries.deleteSavedBlocks(tx, projectId, id))) throw notFound('saved block', id)
    const details = { savedBlockId: id, name: blocks?.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'saved-blocks.deleted', details })
  })
}

/** Compiles the visual emails of a feature again: all of a project, or those with a layout. */
export type Recompile = (ctx: Context, projectId: string, layoutId?: string) => Promise<void>

/**
 * It is repeated once, because an email that is being saved meanwhile may have been compiled before the change. app.ts
 * lists the features that have visual emails.
 */
export async function recompileEmails(
  ctx: Context,
  features: Recompile[],
  { projectId, layoutId, isRepeat }: JobCatalogue['recompile-emails'],
) {
  if (!isRepeat)
    await enqueue(
      ctx.db,
      'recompile-emails',
      { projectId, ...(layoutId ? { layoutId } : {}), isRepeat: true },
      {
        runAt: new Date(ctx.clock.now().getTime() + SAVE_MS_MAX),
        jobKey: `recompile-emails ${projectId} ${layoutId ?? ''} repeat`,
      },
    )
  for (const recompile of features) await recompile(ctx, projectId, layoutId)
}

function found<T>(resource: string, id: string, row: T | undefined): T {
  if (!row) throw notFound(resource, id)
  return row
}

const showEntry = (row: Pick<queries.LayoutRow, 'id' | 'name' | 'created_at' | 'updated_at'>) => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const showLayout = (row: queries.LayoutRow) => ({ ...showEntry(row), header: row.header, footer: row.footer })

const showSavedBlocks = (row: queries.SavedBlocksRow) => ({ ...showEntry(row), blocks: row.blocks })
