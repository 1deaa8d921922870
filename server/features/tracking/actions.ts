/**
 * Opens and clicks. The response to a pixel or a link never depends on the database: everything it needs is in the
 * token. Recording the same hit again changes only the counts.
 */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import { readClickToken, readOpenToken } from '../composing/links.ts'
import { notAfter, storableWords } from '../delivery/outcomes.ts'
import { type HitFacts, isBot } from './bots.ts'
import { type EngagementRow, markEngaged } from './queries.ts'

export interface Hit {
  projectId: string
  emailId: string
  at: Date
  /** A scanner or a prefetcher: kept apart, not counted. */
  isBot: boolean
}

/** Long enough for a database that is well, short enough for a reader when it is not. */
const PATIENCE_MS = 250
/** No human opens an email this soon after it left. Says nothing about captured mail, which only developers read. */
const HUMAN_AFTER_MS = 1_000
const AT_ONCE_MAX = 500

type Engagement = Hit & { link?: string }

export type Tracking = ReturnType<typeof createTracking>

export function createTracking(ctx: Context) {
  const hitOf = (facts: HitFacts) => ({ at: ctx.clock.now(), isBot: isBot(facts, ctx.mail.name === 'capture') })

  async function markAll(hits: Engagement[]): Promise<undefined[]> {
    const now = ctx.clock.now()
    const humanAfterMs = ctx.mail.name === 'capture' ? 0 : HUMAN_AFTER_MS
    await markEngaged(ctx.db, oneRowAnEmail(hits, now), humanAfterMs, now)
    return hits.map(() => undefined)
  }

  /** Pixels are loaded and links are clicked by thousands at a time after a campaign: those that meet share a statement. */
  const mark = gather(markAll, { most: AT_ONCE_MAX, atOnce: 1 })

  const noteOpen = ({ projectId, emailId, at, isBot }: Hit): Promise<void> => mark({ projectId, emailId, at, isBot })

  const noteClick = ({ projectId, emailId, at, isBot, link }: Hit & { link: string }): Promise<void> =>
    mark({ projectId, emailId, at, isBot, link: storableWords(link) })

  return {
    noteOpen,
    noteClick,

    async takeOpen(token: string, facts: HitFacts): Promise<void> {
      const email = readOpenToken(ctx.secrets, token)
      if (email) await patiently(ctx, noteOpen({ ...email, ...hitOf(facts) }))
    },

    /** Where the link leads, or nothing when it is not one of ours. */
    async takeClick(token: string, facts: HitFacts): Promise<string | undefined> {
      const click = readClickToken(ctx.secrets, token)
      if (!click) return undefined
      await patiently(ctx, noteClick({ ...click, ...hitOf(facts) }))
      return new URL(click.link).href // in ASCII, as a header must be
    },
  }
}

/** Waits for the note to be taken, for a moment. A note that can't be taken is lost, and that is said. */
async function patiently(ctx: Context, note: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  const taken = note.catch((error: Error) =>
    ctx.log.warn({ reason: error.message }, 'an open or click was not recorded'),
  )
  await Promise.race([taken, enough])
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
    }
  }
  return [...rows.values()]
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
  openEventId: newId(now),
  clickEventId: newId(now),
  botOpenNoteId: newId(now),
  botClickNoteId: newId(now),
})
