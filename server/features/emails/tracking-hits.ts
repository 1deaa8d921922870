/** Somebody loads the pixel or follows a link. The answer never depends on the database: what it needs is in the token. */
import type { Context } from '../../context.ts'
import { readClickToken, readOpenToken } from '../composing/links.ts'
import { noteClick, noteOpen } from './outcomes.ts'
import { type HitFacts, isBot } from './tracking-bots.ts'

/** Long enough for a database that is well, short enough for a reader when it is not. */
const PATIENCE_MS = 250

export async function takeOpen(ctx: Context, token: string, facts: HitFacts): Promise<void> {
  const email = readOpenToken(ctx.secrets, token)
  if (email) await patiently(ctx, noteOpen(ctx, { ...email, ...hitOf(ctx, facts) }))
}

/** Where the link leads, or nothing when it is not one of ours. */
export async function takeClick(ctx: Context, token: string, facts: HitFacts): Promise<string | undefined> {
  const click = readClickToken(ctx.secrets, token)
  if (!click) return undefined
  await patiently(ctx, noteClick(ctx, { ...click, ...hitOf(ctx, facts) }))
  return new URL(click.link).href // in ASCII, as a header must be
}

const hitOf = (ctx: Context, facts: HitFacts) => ({
  at: ctx.clock.now(),
  isBot: isBot(facts, ctx.mail.name === 'capture'),
})

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
