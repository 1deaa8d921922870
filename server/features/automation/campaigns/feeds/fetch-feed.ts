/**
 * The feed of a campaign: an address whose RSS or Atom items, or whose JSON, its email shows as `feed`. It is fetched once,
 * when the campaign starts. If that fails, nothing is sent.
 */
import { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { countOf } from '../../../../kernel/errors.ts'
import { FetchFailure, publicFetch, readUrl } from '../../../../platform/network/public-fetch.ts'
import { FeedProblem, readFeed } from './read-feed.ts'

const URL_MAX = 2_000
const TIMEOUT_MS = 15_000
const FETCHED_BYTES_MAX = 2 * 1024 * 1024
/** It is read for each email. */
const STORED_BYTES_MAX = 256 * 1024
const DEPTH_MAX = 32

const FEED_FORMATS = ['rss', 'json'] as const

export const FeedSetting = z.object({
  url: z
    .string()
    .trim()
    .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
    .superRefine((url, ctx) => {
      try {
        readUrl(url)
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error
        ctx.addIssue({ code: 'custom', message: error.message, params: { code: 'invalid_string' } })
      }
    })
    .meta({ description: 'A public http or https address.' }),
  format: z
    .enum(FEED_FORMATS)
    .meta({ description: '`rss`: an RSS or Atom feed, with `feed.items`. `json`: any JSON, as `feed`.' }),
  maxItems: z
    .int()
    .min(1, 'Must be at least 1.')
    .max(50, 'Must be at most 50.')
    .default(10)
    .meta({ description: 'How many items of an RSS or Atom feed there are at most, the first ones of the feed.' }),
})

export type FeedSetting = z.output<typeof FeedSetting>

export const shownFeed = z
  .object({
    url: z.string(),
    format: z.enum(FEED_FORMATS),
    maxItems: z.number().int().meta({ description: 'How many items the email shows at most.' }),
  })
  .nullable()

export const FeedPreview = z.object({ feed: z.unknown().meta({ description: 'What templates have as `feed`.' }) })

/** What templates have as `feed`. */
export type FeedData = unknown

export interface FetchedFeed {
  data: FeedData
  /** The ids of the items that are no longer new. Empty for JSON. */
  seen: string[]
}

/**
 * Throws FeedProblem. Items in `seen` are left out. Items beyond the maximum stay new, unless nothing in the feed was seen
 * before: what is in a feed at first isn't news.
 */
export async function fetchFeed(
  { settings }: Pick<Context, 'settings'>,
  { url, format, maxItems }: FeedSetting,
  seen: ReadonlySet<string> = new Set(),
): Promise<FetchedFeed> {
  const text = await fetchText(settings, url, format)
  if (format === 'json') return { data: storable(readJson(text)), seen: [] }
  const { items, ...feed } = readFeed(text)
  const fresh = items.filter(({ id }) => !seen.has(id))
  const shown = fresh.slice(0, maxItems)
  const isFirst = fresh.length === items.length
  const later = new Set(isFirst ? [] : fresh.slice(maxItems))
  return {
    data: storable({ ...feed, items: shown }),
    seen: items.filter((item) => !later.has(item)).map(({ id }) => id),
  }
}

const ACCEPT = {
  rss: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
  json: 'application/json, */*;q=0.1',
}

async function fetchText(settings: Context['settings'], url: string, format: FeedSetting['format']): Promise<string> {
  const rules = {
    allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE,
    timeoutMs: TIMEOUT_MS,
    replyBytesMax: FETCHED_BYTES_MAX + 1,
  }
  try {
    const { status, text } = await publicFetch({ url, method: 'GET', ownHeaders: { accept: ACCEPT[format] } }, rules)
    if (status < 200 || status > 299) throw new FeedProblem(`The URL responded with status ${status}.`)
    if (Buffer.byteLength(text) > FETCHED_BYTES_MAX)
      throw new FeedProblem('The response is larger than 2 MB, the maximum for a feed.')
    return text
  } catch (error) {
    if (error instanceof FetchFailure) throw new FeedProblem(error.message)
    throw error
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new FeedProblem('The response is not JSON.')
  }
}

function storable(data: unknown): unknown {
  const cleaned = clean(data, 0)
  const bytes = Buffer.byteLength(JSON.stringify(cleaned))
  if (bytes > STORED_BYTES_MAX)
    throw new FeedProblem(
      `The feed has ${countOf(bytes, 'byte')}; the maximum is ${STORED_BYTES_MAX}. Choose fewer items, or an address that returns less.`,
    )
  return cleaned
}

/** PostgreSQL can't store NUL in JSON, nor half of a character. */
function clean(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new FeedProblem(`The data has more than ${DEPTH_MAX} levels.`)
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), clean(item, depth + 1)]))
}

const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
