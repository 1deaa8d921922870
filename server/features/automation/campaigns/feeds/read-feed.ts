/**
 * Reads an RSS or Atom feed. Entities of a document type are not expanded. What isn't a complete feed, or is nested too
 * deeply, is refused.
 */
import { Parser } from 'htmlparser2'
import { textOfHtml } from '../../../../platform/html/html-reader.ts'

export interface FeedItem {
  /** Its `guid` or `id`, or else its address. */
  id: string
  title: string
  url: string | null
  /** Without HTML. */
  summary: string
  /** HTML, if the feed has the whole text. */
  content: string | null
  author: string | null
  image: string | null
  publishedAt: string | null
}

export interface Feed {
  title: string
  url: string | null
  description: string
  /** In the order of the feed. */
  items: FeedItem[]
}

/** The message is for the person who entered the address. */
export class FeedProblem extends Error {}

/** Further items are ignored: feeds have the newest first. */
const ITEMS_MAX = 500
const SUMMARY_MAX = 1_000
const CONTENT_MAX = 50_000
const TITLE_MAX = 500
const URL_MAX = 2_000

/** The parser takes a time that grows with the square of the depth. */
const DEPTH_MAX = 100

const incomplete = () => new FeedProblem('The response is not a complete RSS or Atom feed.')

const ROOTS = new Set(['rss', 'feed', 'rdf:RDF'])
const ITEMS = new Set(['item', 'entry'])
/** The names of an element, without further elements, in RSS, Atom and RDF. */
const TEXTS: Record<string, string> = {
  title: 'title',
  guid: 'id',
  id: 'id',
  link: 'link',
  description: 'summary',
  subtitle: 'summary',
  summary: 'summary',
  content: 'content',
  'content:encoded': 'content',
  author: 'author',
  'dc:creator': 'author',
  name: 'author',
  pubDate: 'date',
  published: 'date',
  updated: 'updated',
  'dc:date': 'date',
}

type Fields = Record<string, string>

export function readFeed(xml: string): Feed {
  const channel: Fields = {}
  const items: Fields[] = []
  /** Names of the open elements. */
  const open: string[] = []
  let fields = channel
  /** The depth of the item, or of the channel's element. */
  let depth = 0
  let isComplete = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open.push(name)
        if ((open.length === 1 && !ROOTS.has(name)) || open.length > DEPTH_MAX) throw incomplete()
        if (ITEMS.has(name) && fields === channel && items.length < ITEMS_MAX) {
          fields = {}
          items.push(fields)
          depth = open.length
        }
        readAttributes(fields, name, attributes, open.length - depth)
      },
      ontext(text) {
        const field = fieldOf(open, fields === channel ? undefined : depth)
        if (field) fields[field] = (fields[field] ?? '') + text
      },
      onclosetag(_name, isImplied) {
        if (open.length === depth) [fields, depth] = [channel, 0]
        open.pop()
        if (open.length === 0) isComplete = !isImplied
      },
    },
    { xmlMode: true },
  )
  parser.end(xml.trimStart())
  if (!isComplete) throw incomplete()
  return {
    title: shown(channel.title, TITLE_MAX),
    url: addressOf(channel),
    description: shown(channel.summary, SUMMARY_MAX),
    items: items.map(itemOf),
  }
}

/** For an item, the element itself or, for the name of an author, one below it; for a channel, only its own. */
function fieldOf(open: string[], itemDepth: number | undefined): string | undefined {
  const name = open.at(-1) ?? ''
  if (itemDepth !== undefined) {
    const below = open.length - itemDepth
    if (below === 1) return TEXTS[name]
    if (below === 2 && name === 'name' && open.at(-2) === 'author') return 'author'
    return undefined
  }
  const isOfChannel = open.length === 2 ? open[0] === 'feed' : open.length === 3 && open[1] === 'channel'
  return isOfChannel ? TEXTS[name] : undefined
}

function readAttributes(fields: Fields, name: string, attributes: Record<string, string>, below: number): void {
  if (name === 'link' && attributes.href && (attributes.rel ?? 'alternate') === 'alternate') {
    if (below <= 2) fields.link ??= attributes.href
  } else if (name === 'media:thumbnail' || (name === 'media:content' && isImage(attributes))) {
    fields.image ??= attributes.url ?? ''
  } else if (name === 'enclosure' && isImage(attributes)) fields.image ??= attributes.url ?? ''
}

const isImage = ({ type = '', medium = '' }: Record<string, string>): boolean =>
  medium === 'image' || type.startsWith('image/')

function itemOf(fields: Fields): FeedItem {
  const url = addressOf(fields)
  const title = shown(fields.title, TITLE_MAX)
  const content = fields.content?.trim() || null
  const date = new Date((fields.date ?? fields.updated ?? '').trim())
  return {
    id: (fields.id?.trim() || url || `${title} ${fields.date ?? ''}`).slice(0, URL_MAX),
    title,
    url,
    summary: shown(fields.summary ?? content ?? '', SUMMARY_MAX),
    content: content && content.length <= CONTENT_MAX ? content : null,
    author: shown(fields.author, TITLE_MAX) || null,
    image: webAddress(fields.image),
    publishedAt: Number.isNaN(date.getTime()) ? null : date.toISOString(),
  }
}

const addressOf = ({ link, id }: Fields): string | null => webAddress(link) ?? webAddress(id)

/** Only addresses that can be a link in an email. */
function webAddress(text: string | undefined): string | null {
  const address = text?.trim() ?? ''
  return /^https?:\/\//i.test(address) && address.length <= URL_MAX && URL.canParse(address) ? address : null
}

function shown(html: string | undefined, most: number): string {
  const text = textOfHtml(html ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
