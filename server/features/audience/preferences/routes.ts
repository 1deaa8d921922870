/**
 * The pages behind preference links. A GET only shows the page, because mail scanners follow links; a POST makes the
 * change, from the page's button or from a mail client's one-click unsubscribe (RFC 8058), which sends neither a cookie
 * nor an origin.
 */
import { z } from 'zod'
import { type ConsentCause, visitorOf } from '../../../kernel/consent/cause.ts'
import { isTimeZone } from '../../../kernel/time/local-time.ts'
import { LINK_PAGE_HEADERS } from '../../../platform/http/link-pages.ts'
import { CustomResponse, type RequestFacts, route } from '../../../platform/http/route.ts'
import {
  type Choices,
  choosePreference,
  downloadData,
  LANGUAGES,
  languageAsked,
  PAUSE_DAYS,
  type PersonalDataExport,
  type Preferences,
  readPreferences,
  savePreferences,
} from './actions.ts'
import { messagePage, type PreferencePage, preferencePage, preferencePolicy } from './pages.ts'

const REPLIES = {
  200: { description: 'The page, even if the contact has been deleted.', contentType: 'text/html' },
  404: { description: 'An error page: the link is invalid.', contentType: 'text/html' },
}

/** Mail clients send this parameter; it is accepted and ignored. */
const OneClick = z
  .object({
    'List-Unsubscribe': z
      .string()
      .optional()
      .meta({ examples: ['One-Click'] }),
  })
  .optional()

/** Each topic of the page is a field `topics.<key>`. */
const Choice = z
  .object({
    subscribed: z
      .enum(['true', 'false'])
      .optional()
      .catch(undefined)
      .meta({ enum: ['true', 'false'] }),
    pause: z
      .enum(['0', ...PAUSE_DAYS.map(String)])
      .optional()
      .catch(undefined)
      .meta({ description: 'Pauses marketing email for so many days; 0 ends a pause.' }),
    language: z
      .enum(LANGUAGES)
      .optional()
      .catch(undefined)
      .meta({ enum: LANGUAGES, description: 'Changes the language, if the project offers the choice.' }),
    timezone: z
      .string()
      .optional()
      .catch(undefined)
      .meta({
        type: 'string',
        description: 'Changes the time zone, if the project offers the choice.',
        examples: ['Europe/Berlin'],
      }),
  })
  .catchall(z.unknown())
  .optional()

const TOPIC_FIELD = 'topics.'

function choicesIn({
  subscribed,
  pause,
  language,
  timezone: zone,
  ...fields
}: NonNullable<z.output<typeof Choice>>): Choices | undefined {
  const topics = Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(TOPIC_FIELD) && (value === 'true' || value === 'false')
      ? [[name.slice(TOPIC_FIELD.length), value === 'true'] as const]
      : [],
  )
  const timezone = zone === '' || (zone !== undefined && isTimeZone(zone)) ? zone : undefined
  if ([subscribed, pause, language, timezone].every((one) => one === undefined) && topics.length === 0) return undefined
  return {
    subscribed: subscribed === undefined ? undefined : subscribed === 'true',
    topics: Object.fromEntries(topics),
    pauseDays: pause === undefined ? undefined : Number(pause),
    language,
    timezone,
  }
}

function respond(
  page: PreferencePage,
  token: string,
  found: Preferences,
  facts: RequestFacts,
  saved = false,
): CustomResponse {
  const branding = typeof found === 'object' ? found.branding : {}
  const headers = { ...LINK_PAGE_HEADERS, 'content-security-policy': preferencePolicy(branding) }
  const asked = languageAsked(facts.headers['accept-language'])
  if (typeof found === 'object')
    return new CustomResponse(
      200,
      found.state === 'gone' ? messagePage('gone', asked, found) : preferencePage(page, found, token, saved),
      headers,
    )
  const text = messagePage(found, asked)
  return new CustomResponse(found === 'unknown' ? 404 : 200, text, headers)
}

const shown = (page: PreferencePage, summary: string) =>
  route({
    method: 'GET',
    path: `/${page}/{token}`,
    access: 'open',
    tag: 'Preference pages',
    summary,
    description: 'A page for email recipients; no account is needed. Changes nothing.',
    params: { token: 'text' },
    replies: REPLIES,
    handle: async (ctx, { params, facts }) =>
      respond(page, params.token, await readPreferences(ctx, params.token), facts),
  })

const decided = (page: 'unsubscribe' | 'subscribe', summary: string, description: string) =>
  route({
    method: 'POST',
    path: `/${page}/{token}`,
    access: 'open',
    form: true,
    tag: 'Preference pages',
    summary,
    description,
    params: { token: 'text' },
    body: OneClick,
    replies: REPLIES,
    handle: async (ctx, { params, body, facts }) => {
      const cause = causeOf(facts, body?.['List-Unsubscribe'] === 'One-Click' ? 'one-click' : 'page')
      return respond(page, params.token, await choosePreference(ctx, params.token, page === 'subscribe', cause), facts)
    },
  })

const causeOf = (facts: RequestFacts, source: 'page' | 'one-click'): ConsentCause => ({ source, ...visitorOf(facts) })

export const preferenceRoutes = (writePersonalData: PersonalDataExport) => [
  shown('unsubscribe', 'Show the unsubscribe page'),
  decided(
    'unsubscribe',
    'Unsubscribe',
    'Called by the button on the page, or with one click by a mail client (RFC 8058). The link of an email with a topic ends that topic only. Can be repeated.',
  ),
  shown('subscribe', 'Show the subscribe page'),
  decided('subscribe', 'Subscribe', 'Also removes the suppression of the address. Can be repeated.'),
  shown('manage', 'Show the preferences page'),
  route({
    method: 'POST',
    path: '/manage/{token}',
    access: 'open',
    form: true,
    tag: 'Preference pages',
    summary: 'Save preferences',
    description:
      'A field `topics.<key>` with `true` or `false` is a choice about a topic. Without a choice, only shows the page.',
    params: { token: 'text' },
    body: Choice,
    replies: REPLIES,
    handle: async (ctx, { params, body, facts }) => {
      const choices = choicesIn(body ?? {})
      if (!choices) return respond('manage', params.token, await readPreferences(ctx, params.token), facts)
      const found = await savePreferences(ctx, params.token, choices, causeOf(facts, 'page'))
      return respond('manage', params.token, found, facts, true)
    },
  }),
  route({
    method: 'POST',
    path: '/my-data/{token}',
    access: 'open',
    form: true,
    tag: 'Preference pages',
    summary: 'Download your data',
    description:
      'What is stored about the contact, as one JSON document, if the project offers it (`preferencePage.dataDownload`).',
    params: { token: 'text' },
    replies: {
      200: { description: 'The document, in JSON.', contentType: 'application/octet-stream' },
      404: {
        description: 'An error page: the link is invalid, or the project does not offer this.',
        contentType: 'text/html',
      },
    },
    handle: async (ctx, { params, facts }) => {
      const data = await downloadData(ctx, params.token, writePersonalData)
      if (!data) return respond('manage', params.token, 'unknown', facts)
      return new CustomResponse(200, data, {
        ...LINK_PAGE_HEADERS,
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="my-data.json"',
      })
    },
  }),
]
