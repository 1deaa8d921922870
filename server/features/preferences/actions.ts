/** What the reader of an email decides about further emails, with nothing but the link in it. */
import type { Context } from '../../context.ts'
import { newId } from '../../kernel/ids.ts'
import { readPreferenceToken } from './links.ts'
import * as queries from './queries.ts'

/** `never`: neither subscribed nor opted out, as someone is who only ever got transactional mail. */
export type SubscriptionState = 'subscribed' | 'unsubscribed' | 'never'

export interface Reader {
  projectName: string
  email: string
  /** As stored: may be anything. */
  locale: unknown
  state: SubscriptionState
}

/** `unknown`: we did not make this link. `gone`: we did, and the contact was deleted since. */
export type Preferences = Reader | 'unknown' | 'gone'

export async function readPreferences(ctx: Context, token: string): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  const row = await queries.findPreferences(ctx.db, subject)
  if (!row || row.email === null) return 'gone'
  return { projectName: row.project_name, email: row.email, locale: row.locale, state: stateOf(row) }
}

/** The same however often it is done. A disabled project does not matter: nobody has to wait to be left alone. */
export async function choosePreference(ctx: Context, token: string, subscribed: boolean): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  const now = ctx.clock.now()
  await queries.choosePreference(ctx.db, subject, subscribed, newId(now), now)
  return readPreferences(ctx, token)
}

function stateOf({ subscribed, opted_out }: queries.PreferenceRow): SubscriptionState {
  if (subscribed) return 'subscribed'
  return opted_out ? 'unsubscribed' : 'never'
}
