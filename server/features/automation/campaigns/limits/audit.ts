/** Entries of the audit log about campaigns. */
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { type Actor, changesOf, type NewAuditEntry, recordAuditEntry } from '../../../record/audit/actions.ts'
import { campaignInputShape, showCampaign } from '../campaign.ts'
import { type CampaignRow, findCampaign } from '../queries.ts'

interface CampaignRef {
  projectId: string
  campaignId: string
}

/** Called after the change. */
export async function recordCampaignAct(
  ctx: Context,
  tx: Tx,
  { projectId, campaignId }: CampaignRef,
  entry: Pick<NewAuditEntry, 'act' | 'details'>,
  who: Actor,
): Promise<void> {
  const campaign = await findCampaign(tx, projectId, campaignId)
  const details = { campaignId, name: campaign?.name, ...entry.details }
  await recordAuditEntry(ctx, tx, { ...who, projectId, act: entry.act, details })
}

/** Called after the change, with the campaign as it was. Nothing is recorded if nothing changed. */
export async function recordCampaignChange(
  ctx: Context,
  tx: Tx,
  { projectId, campaignId }: CampaignRef,
  before: CampaignRow | undefined,
  who: Actor,
): Promise<void> {
  const after = await findCampaign(tx, projectId, campaignId)
  const changes = before && after && changesOf(fieldsOf(before), fieldsOf(after))
  if (!changes) return
  const details = { campaignId, name: after.name, ...changes }
  await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'campaign.changed', details })
}

/** What its author has written, and not what it did. */
function fieldsOf(row: CampaignRow): Record<string, unknown> {
  const shown: Record<string, unknown> = showCampaign(row)
  return Object.fromEntries(Object.keys(campaignInputShape).map((name) => [name, shown[name]]))
}
