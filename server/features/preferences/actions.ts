/** A recipient's decision about further emails, made through a link in an email. */
import type { Context } from '../../context.ts'
import type { Branding } from '../../kernel/branding.ts'
import { newId } from '../../kernel/ids.ts'
import { type SubscriptionState, subscriptionState } from '../../kernel/subscription.ts'
import { type PreferenceSubject, readPreferenceToken, SAMPLE_CONTACT } from './links.ts'
import * as queries from './queries.ts'

export interface Reader {
  projectName: string
  projectLanguage: string
  branding: Branding
  email: string
  /** As stored: can be any value. */
  locale: unknown
  state: SubscriptionState
}

/** `unknown`: the link is not ours. `gone`: the contact was deleted. */
export type Preferences = Reader | 'unknown' | 'gone'

export async function readPreferences(ctx: Context, token: string): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  const row = await queries.findPreferences(ctx.db, subject)
  if (row && isSample(subject)) return sampleReader(row, 'subscribed')
  if (!row || row.email === null) return 'gone'
  const state = subscriptionState({ subscribed: row.subscribed === true, optedOut: row.opted_out === true })
  const { project_name: projectName, project_language: projectLanguage, branding, email, locale } = row
  return { projectName, projectLanguage, branding, email, locale, state }
}

/** Idempotent. It also works for disabled projects, so that recipients can always unsubscribe. */
export async function choosePreference(ctx: Context, token: string, subscribed: boolean): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  if (isSample(subject)) {
    const row = await queries.findPreferences(ctx.db, subject)
    return row ? sampleReader(row, subscribed ? 'subscribed' : 'unsubscribed') : 'gone'
  }
  const now = ctx.clock.now()
  await queries.choosePreference(ctx.db, subject, subscribed, newId(now), now)
  return readPreferences(ctx, token)
}

const isSample = ({ contactId }: PreferenceSubject): boolean => contactId === SAMPLE_CONTACT.id

/** The person who clicks the link of a test email sees what contacts see. */
const sampleReader = (row: queries.PreferenceRow, state: SubscriptionState): Reader => ({
  projectName: row.project_name,
  projectLanguage: row.project_language,
  branding: row.branding,
  email: SAMPLE_CONTACT.email,
  locale: null,
  state,
})
