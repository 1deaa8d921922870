/** The emails of an experiment: what a variant is sent as, and whether its test can start. */

import type { Context } from '../../../../context.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { isStatic } from '../../../../platform/rendering/template.ts'
import { findTopicRule } from '../../../audience/topics/actions.ts'
import { withPreheader } from '../../../content/composing/additions.ts'
import { compileStored } from '../../../content/documents/actions.ts'
import type { CampaignFields } from '../campaign.ts'
import { findFeed } from '../feeds/queries.ts'
import { insertCampaignContent } from '../sending-queries.ts'
import type { VariantWave } from '../waves/queries.ts'
import type { ExperimentRow, StoredVariant } from './queries.ts'

/** In all variants together. */
const TEST_MIN = 100

/** Undefined if the audience is large enough. */
export function whyTooSmall({ share }: ExperimentRow, audience: number): string | undefined {
  const test = Math.floor((audience * share) / 100)
  if (test >= TEST_MIN) return undefined
  return `The test would have ${test} recipients, ${share} percent of ${audience}; it needs at least ${TEST_MIN}. Raise the share, choose a larger audience or delete the experiment.`
}

export const sendersOf = ({ variants }: ExperimentRow): string[] => variants.flatMap(({ from }) => from ?? [])

/** Stores what a variant is sent as: its own fields, and those of the campaign for the others. */
export async function storeVariant(
  ctx: Context,
  tx: Tx,
  projectId: string,
  campaign: CampaignFields & { id: string },
  variant: StoredVariant,
  now: Date,
): Promise<Omit<VariantWave, 'variant'>> {
  const contentId = newId(now)
  const topic = campaign.topic_id ? await findTopicRule(tx, projectId, campaign.topic_id) : undefined
  const subject = variant.subject ?? campaign.subject
  const body = (await currentBody(ctx, projectId, variant)) ?? campaign.body
  // The text of the campaign belongs to its body.
  const plain = variant.body === null ? campaign.plain : null
  const [fromEmail, fromName] = [variant.from ?? campaign.from_email, variant.fromName ?? campaign.from_name]
  const content = {
    ...campaign,
    subject,
    plain,
    body: withPreheader(body, variant.preheader ?? campaign.preheader),
    from_email: fromEmail,
    from_name: fromName,
    topic: topic?.number ?? null,
    data: (await findFeed(tx, projectId, campaign.id)) ?? null,
  }
  await insertCampaignContent(tx, ctx.secrets, projectId, contentId, content, now)
  return { contentId, subject: isStatic(subject) ? subject : null, fromEmail, fromName }
}

/** A document is compiled with the current brand, as the campaign's own; if that fails, it is sent as it was saved. */
async function currentBody(ctx: Context, projectId: string, { name, body, document }: StoredVariant) {
  if (body === null || !document) return body
  try {
    return (await compileStored(ctx, projectId, { body, document, mjml: null })).body
  } catch (error) {
    ctx.log.warn({ err: error, projectId, variant: name }, 'the document of a variant could not be compiled again')
    return body
  }
}
