/** A follow-up: a draft with the content of a campaign, for those of its recipients who did or didn't react. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { conflict } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { createSegment, deleteSegment } from '../../../audience/segments/actions.ts'
import { addMembers } from '../../../audience/segments/members.ts'
import { SEGMENT_NAME_MAX } from '../../../audience/segments/schemas.ts'
import { compileStored } from '../../../content/documents/actions.ts'
import { type Actor, SYSTEM } from '../../../record/audit/actions.ts'
import { getCampaign, requireCampaign } from '../actions.ts'
import { fieldsOfRow } from '../campaign.ts'
import { addCampaign } from '../editing.ts'
import type { FollowUp } from '../schemas.ts'
import { listReactions } from './report-queries.ts'

/** More would keep the request waiting; a segment with a condition has no such limit. */
const RECIPIENTS_MAX = 50_000
const MEMBERS_AT_ONCE = 1_000

const LABELS: Record<z.output<typeof FollowUp>['recipients'], string> = {
  OPENED: 'opened',
  NOT_OPENED: 'not opened',
  CLICKED: 'clicked',
  NOT_CLICKED: 'not clicked',
}

export async function createFollowUp(
  ctx: Context,
  projectId: string,
  id: string,
  { recipients }: z.output<typeof FollowUp>,
  who: Actor = SYSTEM,
) {
  const original = await requireCampaign(ctx, projectId, id)
  const emails = await listReactions(ctx.db, projectId, id, recipients, RECIPIENTS_MAX + 1)
  if (emails.length === 0) throw conflict('No recipients of this campaign match.')
  if (emails.length > RECIPIENTS_MAX)
    throw conflict(`A follow-up can have at most ${RECIPIENTS_MAX} recipients.`, {
      suggestion: 'Create a segment with a condition on opened or clicked emails instead.',
    })
  const content = await compileStored(ctx, projectId, fieldsOfRow(original))
  const suffix = `: ${LABELS[recipients]}`
  const start = original.name.slice(0, SEGMENT_NAME_MAX - suffix.length)
  const name = start.replace(/[\ud800-\udbff]$/, '') + suffix // not half a character
  const segment = await createSegment(
    ctx,
    projectId,
    { name, type: 'STATIC', trackMembership: false, tags: original.tags },
    who,
  )
  const now = ctx.clock.now()
  const copyId = newId(now)
  const audience = { audience_type: 'SEGMENT' as const, segment_id: segment.id, audience_condition: null }
  const derived = { fields: [], event_names: [], segment_ids: [] }
  const copy = { ...content, ...audience, ...derived, name, is_public: false }
  try {
    for (let from = 0; from < emails.length; from += MEMBERS_AT_ONCE) {
      const members = { emails: emails.slice(from, from + MEMBERS_AT_ONCE), createMissing: false, subscribed: true }
      await addMembers(ctx, projectId, segment.id, members, { source: 'api' }, who) // creates nobody
    }
    await transaction(ctx.db, (tx) => addCampaign(ctx, tx, projectId, copyId, copy, who))
  } catch (error) {
    await deleteSegment(ctx, projectId, segment.id, who).catch((failure: unknown) =>
      ctx.log.error({ err: failure, segmentId: segment.id }, 'the segment of a failed follow-up could not be deleted'),
    )
    throw error
  }
  return getCampaign(ctx, projectId, copyId)
}
