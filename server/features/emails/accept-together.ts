/**
 * Requests to send that arrive together are accepted by one statement. Not those that are large: they would hold up
 * the others, so each gets a statement of its own.
 */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { timeOfId } from '../../kernel/ids.ts'
import { createPrecedence, type Precedence } from '../../kernel/precedence.ts'
import { isDatabaseAway } from '../../platform/database/transaction.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { askSameOfContact } from '../contacts/actions.ts'
import { type Acceptance, type EmailsToAccept, insertEmails } from './queries.ts'

/** At 64 connections three statements of some twenty requests are under way. */
const TOGETHER = { most: 50, atOnce: 3 }
const SHARED_CHARACTERS_MAX = 512 * 1024
const SHARED_RECIPIENTS_MAX = 100
const LARGE_CHARACTERS = SHARED_CHARACTERS_MAX / 8
const LARGE_RECIPIENTS = 10

/** While so many callers wait for their answers (large requests not counted), few emails leave: 200 a second. */
const CALLERS_FIRST = { many: 8, everyMs: 100, few: 20 }
/** Until an email is this old. From then on it waits for a moment only: no crowd of callers stops the mail. */
const GIVE_WAY_FOR_MS = 5_000

interface Entrance {
  accept(request: EmailsToAccept): Promise<Acceptance>
  callers: Precedence
}

const entrances = new WeakMap<Context, Entrance>()

function entranceOf(ctx: Context): Entrance {
  let entrance = entrances.get(ctx)
  if (!entrance) {
    const accept = gather((requests: EmailsToAccept[]) => insertEmails(ctx.db, requests), {
      ...TOGETHER,
      mayJoin,
      // While the database is away nobody knows what the statement did.
      tryAlone: (error) => !isDatabaseAway(error),
    })
    entrance = { accept, callers: createPrecedence(CALLERS_FIRST) }
    entrances.set(ctx, entrance)
  }
  return entrance
}

export async function acceptEmails(ctx: Context, request: EmailsToAccept): Promise<Acceptance> {
  if (isLarge(request)) return (await insertEmails(ctx.db, [request]))[0]!
  const { accept, callers } = entranceOf(ctx)
  return callers.goFirst(() => accept(request))
}

/** Mail of a campaign is old when its turn comes; it may not overtake what was written just now. */
export function giveWayToCallers(
  ctx: Context,
  { emailId, priority }: { emailId: string; priority: number },
): Promise<void> | undefined {
  const ageMs = priority < PRIORITY.campaign ? ctx.clock.now().getTime() - timeOfId(emailId).getTime() : 0
  return entranceOf(ctx).callers.giveWay(GIVE_WAY_FOR_MS - ageMs)
}

function mayJoin(): (request: EmailsToAccept) => boolean {
  const asksSame = askSameOfContact()
  let characters = 0
  let recipients = 0
  return (request) => {
    const fits =
      characters + charactersOf(request) <= SHARED_CHARACTERS_MAX &&
      recipients + request.recipients.length <= SHARED_RECIPIENTS_MAX
    if (!fits || !asksSame(request.upsert)) return false
    characters += charactersOf(request)
    recipients += request.recipients.length
    return true
  }
}

const isLarge = (request: EmailsToAccept): boolean =>
  charactersOf(request) > LARGE_CHARACTERS || request.recipients.length > LARGE_RECIPIENTS

/** Data is bounded by the rules for it; what can be large is the text and what is attached. */
const charactersOf = ({ content }: EmailsToAccept): number =>
  content.attachments.reduce(
    (sum, attachment) => sum + attachment.content.length,
    content.body.length + (content.plain?.length ?? 0),
  )
