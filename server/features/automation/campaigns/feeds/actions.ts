/** What a campaign has as `feed`: fetched before it starts, so that a campaign whose feed can't be read sends nothing. */
import type { Context } from '../../../../context.ts'
import { invalidField } from '../../../../kernel/errors.ts'
import type { CampaignRow } from '../queries.ts'
import { type FeedSetting, fetchFeed } from './fetch-feed.ts'
import { findFeed } from './queries.ts'
import { FeedProblem } from './read-feed.ts'

type Campaign = Pick<CampaignRow, 'project_id' | 'id' | 'feed' | 'recurrence_of'>

/** Undefined if the campaign has no feed, or if its feed is stored: that of an occurrence is. Throws FeedProblem. */
export async function feedToSend(ctx: Context, campaign: Campaign): Promise<{ feed: unknown } | undefined> {
  const { project_id: projectId, id, feed } = campaign
  if (!feed) return undefined
  if (campaign.recurrence_of && (await findFeed(ctx.db, projectId, id))) return undefined
  const { data } = await fetchFeed(ctx, feed)
  if (hasNoItems(feed, data)) throw new FeedProblem('The feed has no items.')
  return { feed: data }
}

/** For a test, or to see what there is now. What can't be read is refused. */
export async function readFeedNow(ctx: Context, setting: FeedSetting, field = 'url'): Promise<unknown> {
  try {
    return (await fetchFeed(ctx, setting)).data
  } catch (error) {
    if (error instanceof FeedProblem) throw invalidField(field, error.message)
    throw error
  }
}

export const hasNoItems = ({ format }: FeedSetting, data: unknown): boolean =>
  format === 'rss' && (data as { items: unknown[] }).items.length === 0
