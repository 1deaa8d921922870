/** Recipients' decisions about further emails: the links in emails that lead to them, and the language of emails and pages. */
import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules } from '../../../kernel/contact-data.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import { newId } from '../../../kernel/ids.ts'
import { type SubscriptionState, subscriptionState } from '../../../kernel/subscription.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { changeContacts } from '../contacts/actions.ts'
import { setTopics } from '../contacts/topics.ts'
import { type ContactTopicRow, listTopicsOf } from '../topics/actions.ts'
import * as queries from './queries.ts'
import { da } from './texts/da.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { it } from './texts/it.ts'
import { ja } from './texts/ja.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'
import { sv } from './texts/sv.ts'
import type { PageTexts } from './texts/types.ts'
import { zh } from './texts/zh.ts'

/** The project that the emails come from. */
export interface Sender {
  projectName: string
  projectLanguage: string
  branding: Branding
}

export interface Reader extends Sender {
  email: string
  /** The stored value, which can be anything. */
  locale: unknown
  timezone: unknown
  offers: Partial<queries.Offers>
  state: SubscriptionState
  /** The address is suppressed: whatever the state, it receives no marketing email. */
  suppressed: boolean
  pausedUntil: Date | null
  /** The topics that the preference page shows. */
  topics: ReaderTopic[]
  /** The topic of the email that the link is in. */
  topic: ReaderTopic | undefined
  /** The token of the links that are about all topics. */
  ownToken: string
}

export type ReaderTopic = Pick<ContactTopicRow, 'key' | 'name' | 'description' | 'chosen' | 'subscribed'>

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
  if (!row) return 'gone'
  const topics = await listTopicsOf(ctx.db, subject.projectId, subject.contactId)
  const choices = {
    topics: topics.filter(({ is_public }) => is_public),
    topic: topics.find(({ number }) => number === subject.topic),
    ownToken: preferenceToken(ctx.secrets, subject.projectId, subject.contactId),
  }
  if (isSample(subject)) return { ...sampleReader(row), ...choices }
  if (row.email === null) return { ...senderOf(row), state: 'gone' }
  const state = subscriptionState({ subscribed: row.subscribed === true, optedOut: row.opted_out === true })
  const pausedUntil = row.paused_until && row.paused_until > ctx.clock.now() ? row.paused_until : null
  const { email, locale, timezone, offers, is_suppressed: suppressed } = row
  return { ...senderOf(row), email, locale, timezone, offers, state, suppressed, pausedUntil, ...choices }
}

/**
 * The decision that a link is for. Of an email with a topic, it is about that topic; subscribing to it also subscribes the
 * contact. Idempotent. It also works for disabled projects, so that recipients can always unsubscribe.
 */
export async function choosePreference(
  ctx: Context,
  token: string,
  subscribed: boolean,
  cause: ConsentCause,
): Promise<Preferences> {
  const found = await readPreferences(ctx, token)
  if (typeof found === 'string' || found.state === 'gone') return found
  const { topic } = found
  const chosen = topic && { topics: { [topic.key]: subscribed } }
  return savePreferences(ctx, token, topic && !subscribed ? { ...chosen } : { subscribed, ...chosen }, cause)
}

export const PAUSE_DAYS = [30, 90] as const

/** What a person chooses on the preference page. */
export interface Choices {
  subscribed?: boolean | undefined
  /** By key. Those that the page doesn't show stay unchanged. */
  topics?: Record<string, boolean>
  /** Pauses marketing email for so many days; 0 ends a pause. */
  pauseDays?: number | undefined
  /** One of `LANGUAGES`. Ignored if the project doesn't offer the choice, like the time zone. */
  language?: Language | undefined
  /** Empty if none is to be stored. */
  timezone?: string | undefined
}

const DAY_MS = 24 * 3_600_000

/** Someone who leaves keeps the choice of topics for a later return. */
export async function savePreferences(
  ctx: Context,
  token: string,
  { subscribed, topics = {}, pauseDays, language, timezone }: Choices,
  cause: ConsentCause,
): Promise<Preferences> {
  const subject = readPreferenceToken(ctx.secrets, token)
  const found = await readPreferences(ctx, token)
  if (!subject || typeof found === 'string' || found.state === 'gone') return found
  const shown = found.topic ? [found.topic, ...found.topics] : found.topics
  const kept = subscribed === false ? [] : Object.entries(topics)
  const chosen = Object.fromEntries(kept.filter(([key]) => shown.some((topic) => topic.key === key)))
  if (isSample(subject)) return chosenSample(found, subscribed, chosen)
  const { projectId, contactId } = subject
  const now = ctx.clock.now()
  const emailId = queries.lastEmail(projectId, contactId)
  const until = pauseDays ? new Date(now.getTime() + pauseDays * DAY_MS) : null
  const data = {
    // A dialect such as de-AT stays, if the language is the same.
    ...(found.offers.language && language && language !== languageOf(found.locale, found.projectLanguage)
      ? { locale: language }
      : {}),
    ...(found.offers.timezone && timezone !== undefined ? { timezone: timezone || null } : {}),
  }
  await transaction(ctx.db, async (tx) => {
    if (Object.keys(data).length > 0) {
      await changeContacts(
        ctx,
        projectId,
        [{ id: contactId, change: applyDataRules(data), subscribed: undefined }],
        cause,
        tx,
      )
    }
    if (subscribed !== undefined) await queries.choosePreference(tx, subject, subscribed, newId(now), cause, now)
    await setTopics(ctx, tx, { projectId, contactIds: [contactId], topics: chosen, cause, emailId })
    if (pauseDays !== undefined) await queries.pauseMarketing(tx, subject, until, now)
  })
  return readPreferences(ctx, token)
}

const senderOf = (row: queries.PreferenceRow): Sender => ({
  projectName: row.project_name,
  projectLanguage: row.project_language,
  branding: row.branding,
})

const isSample = ({ contactId }: queries.PreferenceSubject): boolean => contactId === SAMPLE_CONTACT.id

/** The person who clicks the link of a test email sees what contacts see. */
const sampleReader = (row: queries.PreferenceRow) => ({
  ...senderOf(row),
  email: SAMPLE_CONTACT.email,
  locale: null,
  timezone: null,
  offers: row.offers,
  state: 'subscribed' as const,
  suppressed: false,
  pausedUntil: null,
})

function chosenSample(reader: Reader, subscribed: boolean | undefined, chosen: Record<string, boolean>): Reader {
  const choose = (topic: ReaderTopic) => {
    const isChosen = chosen[topic.key] ?? topic.chosen
    return { ...topic, chosen: isChosen, subscribed: isChosen }
  }
  const state = subscribed === undefined ? reader.state : subscribed ? 'subscribed' : 'unsubscribed'
  return { ...reader, state, topics: reader.topics.map(choose), topic: reader.topic && choose(reader.topic) }
}

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
  topic?: number | null,
): PreferenceLinks {
  const token = preferenceToken(secrets, projectId, contactId, topic)
  return {
    unsubscribeUrl: `${baseUrl}/unsubscribe/${token}`,
    subscribeUrl: `${baseUrl}/subscribe/${token}`,
    manageUrl: `${baseUrl}/manage/${topic == null ? token : preferenceToken(secrets, projectId, contactId)}`,
  }
}

const PURPOSE = 'preferences'
/**
 * 16 bytes each for project and contact, 6 for the number of a topic, if there is one, and 16 for the signature: a multiple
 * of three, so every bit of the text counts.
 */
const TOKEN = /^[\w-]{64}([\w-]{8})?$/
const TOPIC_HEX = 12

export function preferenceToken(secrets: Secrets, projectId: string, contactId: string, topic?: number | null): string {
  const ids = (projectId + contactId).replaceAll('-', '') + (topic?.toString(16).padStart(TOPIC_HEX, '0') ?? '')
  const signature = Buffer.from(secrets.sign(PURPOSE, ids), 'base64url')
  return Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')
}

/** The contact of a token, or undefined if it is invalid. */
export function readPreferenceToken(secrets: Secrets, token: string): queries.PreferenceSubject | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.toString('hex', 0, bytes.length - 16)
  if (!secrets.isSigned(PURPOSE, ids, bytes.toString('base64url', bytes.length - 16))) return undefined
  const topic = ids.length > 64 ? { topic: Number.parseInt(ids.slice(64), 16) } : {}
  return { projectId: asId(ids.slice(0, 32)), contactId: asId(ids.slice(32, 64)), ...topic }
}

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

// The languages of the preference pages, and the choice of a recipient's language.

const TEXTS = { en, de, fr, es, it, nl, pt, pl, sv, da, ja, zh } satisfies Record<string, PageTexts>

export type Language = keyof typeof TEXTS

export const LANGUAGES = Object.keys(TEXTS) as Language[]

export const textsIn = (language: Language): PageTexts => TEXTS[language]

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

/** Writes what is stored about a contact, without the names of the people who made changes. */
export type PersonalDataExport = (ctx: Context, projectId: string, contactId: string) => Promise<Readable>

/** The document that the person can download. Undefined if the link or the project doesn't offer it. */
export async function downloadData(
  ctx: Context,
  token: string,
  write: PersonalDataExport,
): Promise<Readable | undefined> {
  const subject = readPreferenceToken(ctx.secrets, token)
  const found = await readPreferences(ctx, token)
  const isOffered =
    subject && !isSample(subject) && typeof found === 'object' && found.state !== 'gone' && found.offers.dataDownload
  return isOffered ? write(ctx, subject.projectId, subject.contactId) : undefined
}
