/** Recipients' decisions about further emails: the links in emails that lead to them, and the language of emails and pages. */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import { newId } from '../../../kernel/ids.ts'
import { type SubscriptionState, subscriptionState } from '../../../kernel/subscription.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import * as queries from './queries.ts'
import type { PreferenceTexts } from './text-types.ts'
import { da, de, en, nl, sv } from './texts-germanic.ts'
import { ja, pl, zh } from './texts-others.ts'
import { es, fr, it, pt } from './texts-romance.ts'

/** The project that the emails come from. */
export interface Sender {
  projectName: string
  projectLanguage: string
  branding: Branding
}

export interface Reader extends Sender {
  email: string
  /** As stored: can be any value. */
  locale: unknown
  state: SubscriptionState
}

/** The contact was deleted, but the project wasn't. */
export interface FormerReader extends Sender {
  state: 'gone'
}

/** `unknown`: the link is not ours. `gone`: the project was deleted. */
export type Preferences = Reader | FormerReader | 'unknown' | 'gone'

export async function readPreferences(ctx: Context, token: string): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  const row = await queries.findPreferences(ctx.db, subject)
  if (row && isSample(subject)) return sampleReader(row, 'subscribed')
  if (!row) return 'gone'
  if (row.email === null) return { ...senderOf(row), state: 'gone' }
  const state = subscriptionState({ subscribed: row.subscribed === true, optedOut: row.opted_out === true })
  return { ...senderOf(row), email: row.email, locale: row.locale, state }
}

/** Idempotent. It also works for disabled projects, so that recipients can always unsubscribe. */
export async function choosePreference(
  ctx: Context,
  token: string,
  subscribed: boolean,
  cause: ConsentCause,
): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  if (!subject) return 'unknown'
  if (isSample(subject)) {
    const row = await queries.findPreferences(ctx.db, subject)
    return row ? sampleReader(row, subscribed ? 'subscribed' : 'unsubscribed') : 'gone'
  }
  const now = ctx.clock.now()
  await queries.choosePreference(ctx.db, subject, subscribed, newId(now), cause, now)
  return readPreferences(ctx, token)
}

const senderOf = (row: queries.PreferenceRow): Sender => ({
  projectName: row.project_name,
  projectLanguage: row.project_language,
  branding: row.branding,
})

const isSample = ({ contactId }: queries.PreferenceSubject): boolean => contactId === SAMPLE_CONTACT.id

/** The person who clicks the link of a test email sees what contacts see. */
const sampleReader = (row: queries.PreferenceRow, state: SubscriptionState): Reader => ({
  ...senderOf(row),
  email: SAMPLE_CONTACT.email,
  locale: null,
  state,
})

// Preference links in emails, which need no password. A link contains the contact and is signed, so it can't be forged
// for another contact, and it never expires.

export interface PreferenceLinks {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/**
 * The contact in the links of previews and test emails. The pages behind them look like those of a real contact and
 * change nothing.
 */
export const SAMPLE_CONTACT = { id: '00000000-0000-0000-0000-000000000000', email: 'contact@example.com' }

/** For an email without a contact. */
export const NO_LINKS: PreferenceLinks = { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' }

export function preferenceLinks(
  secrets: Secrets,
  baseUrl: string,
  projectId: string,
  contactId: string,
): PreferenceLinks {
  const token = preferenceToken(secrets, projectId, contactId)
  return {
    unsubscribeUrl: `${baseUrl}/unsubscribe/${token}`,
    subscribeUrl: `${baseUrl}/subscribe/${token}`,
    manageUrl: `${baseUrl}/manage/${token}`,
  }
}

const PURPOSE = 'preferences'
/** 16 bytes each for project, contact and signature: a multiple of three, so every bit of the text counts. */
const TOKEN = /^[\w-]{64}$/

export function preferenceToken(secrets: Secrets, projectId: string, contactId: string): string {
  const ids = (projectId + contactId).replaceAll('-', '')
  const signature = Buffer.from(secrets.sign(PURPOSE, ids), 'base64url')
  return Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')
}

/** The contact of a token, or undefined if it is invalid. */
export function readPreferenceToken(secrets: Secrets, token: string): queries.PreferenceSubject | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.toString('hex', 0, 32)
  if (!secrets.isSigned(PURPOSE, ids, bytes.toString('base64url', 32))) return undefined
  return { projectId: asId(ids.slice(0, 32)), contactId: asId(ids.slice(32)) }
}

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

// The languages of the preference pages, and the choice of a recipient's language.

const TEXTS = { en, de, fr, es, it, nl, pt, pl, sv, da, ja, zh } satisfies Record<string, PreferenceTexts>

export type Language = keyof typeof TEXTS

export const LANGUAGES = Object.keys(TEXTS) as Language[]

export const textsIn = (language: Language): PreferenceTexts => TEXTS[language]

/**
 * The first of these languages that has texts, otherwise English. `de`, `de-AT`, `de_AT` and `DE` are German. The
 * language of the contact's locale comes first, then that of the project.
 */
export function languageOf(...locales: unknown[]): Language {
  for (const locale of locales) {
    const name = typeof locale === 'string' ? /^\s*([a-z]+)(?![a-z0-9])/i.exec(locale)?.[1]?.toLowerCase() : undefined
    const known = LANGUAGES.find((language) => language === name)
    if (known) return known
  }
  return 'en'
}

/** If the contact is unknown: the browser's preferred language. */
export const languageAsked = (acceptLanguage: unknown): Language =>
  languageOf(typeof acceptLanguage === 'string' ? acceptLanguage.split(/[,;]/)[0] : undefined)
