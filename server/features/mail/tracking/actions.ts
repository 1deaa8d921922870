/**
 * Opens and clicks. The response to a pixel or a link never depends on the database: everything it needs is in the
 * token. Recording the same open or click again changes only the counts.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import { readClickToken, readOpenToken } from '../../content/composing/links.ts'
import { notAfter, storableResponse } from '../delivery/outcomes.ts'
import { type HitFacts, isBot } from './bots.ts'
import { type EngagementRow, markEngaged } from './queries.ts'

export interface Hit {
  projectId: string
  emailId: string
  at: Date
  /** A scanner or a prefetcher: stored separately, not counted. */
  isBot: boolean
}

/** Long enough for a healthy database, short enough for a reader if it isn't. */
const WAIT_MS = 250
/** An open this soon after sending is automatic. Not applied to captured emails, which only developers read. */
const HUMAN_AFTER_MS = 1_000
const AT_ONCE_MAX = 500

type Engagement = Hit & { link?: string }

export type Tracking = ReturnType<typeof createTracking>

export function createTracking(ctx: Context) {
  const hitOf = (facts: HitFacts) => ({ at: ctx.clock.now(), isBot: isBot(facts, ctx.mail.capabilities.captures) })

  async function markAll(hits: Engagement[]): Promise<undefined[]> {
    const now = ctx.clock.now()
    const humanAfterMs = ctx.mail.capabilities.captures ? 0 : HUMAN_AFTER_MS
    await markEngaged(ctx.db, oneRowAnEmail(hits, now), humanAfterMs, now)
    return hits.map(() => undefined)
  }

  /** After a campaign, thousands of pixels and links are requested at a time; concurrent ones share a statement. */
  const mark = createBatcher(markAll, { batchMax: AT_ONCE_MAX, concurrency: 1 })

  const recordOpen = ({ projectId, emailId, at, isBot }: Hit): Promise<void> => mark({ projectId, emailId, at, isBot })

  const recordClick = ({ projectId, emailId, at, isBot, link }: Hit & { link: string }): Promise<void> =>
    mark({ projectId, emailId, at, isBot, link: storableResponse(link) })

  return {
    recordOpen,
    recordClick,

    async handleOpen(token: string, facts: HitFacts): Promise<void> {
      const email = readOpenToken(ctx.secrets, token)
      if (email) await waitBriefly(ctx, recordOpen({ ...email, ...hitOf(facts) }))
    },

    /** The target of the link, or undefined if the token is invalid. */
    async handleClick(token: string, facts: HitFacts): Promise<string | undefined> {
      const click = readClickToken(ctx.secrets, token)
      if (!click) return undefined
      await waitBriefly(ctx, recordClick({ ...click, ...hitOf(facts) }))
      return new URL(click.link).href // in ASCII, as headers require
    },
  }
}

/** Waits briefly for the write. A failed write is logged and lost. */
async function waitBriefly(ctx: Context, note: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  const recorded = note.catch((error: Error) =>
    ctx.log.warn({ reason: error.message }, 'an open or click was not recorded'),
  )
  await Promise.race([recorded, enough])
  clearTimeout(timer)
}

function oneRowAnEmail(hits: Engagement[], now: Date): EngagementRow[] {
  const rows = new Map<string, EngagementRow>()
  for (const hit of hits) {
    const key = `${hit.projectId} ${hit.emailId}`
    const row = rows.get(key) ?? emptyRow(hit, now)
    rows.set(key, row)
    if (hit.link === undefined) row[hit.isBot ? 'botOpens' : 'opens']++
    else {
      row[hit.isBot ? 'botClicks' : 'clicks']++
      row[hit.isBot ? 'botLink' : 'link'] ??= hit.link
      if (!hit.isBot) addClick(row.links, hit.link)
    }
  }
  return [...rows.values()]
}

function addClick(links: EngagementRow['links'], link: string): void {
  const known = links.find((other) => other.link === link)
  if (known) known.clicks++
  else links.push({ link, clicks: 1 })
}

const emptyRow = ({ projectId, emailId, at }: Engagement, now: Date): EngagementRow => ({
  projectId,
  emailId,
  at: notAfter(at, now),
  opens: 0,
  clicks: 0,
  botOpens: 0,
  botClicks: 0,
  link: null,
  botLink: null,
  links: [],
  openEventId: newId(now),
  clickEventId: newId(now),
  botOpenNoteId: newId(now),
  botClickNoteId: newId(now),
})
