/**
 * Renders the Markdown of a guide: headings with anchors, code with its language, and code in several languages as one group,
 * which the script of the site shows as tabs. HTML in Markdown is shown as text. Pure.
 */
import { Marked, type Token, type Tokens } from 'marked'
import { type Html, html, trusted } from '../http/html.ts'

export interface Heading {
  id: string
  level: number
  text: string
}

export interface RenderedGuide {
  body: Html
  headings: Heading[]
}

/** The languages of samples, in the order of their tabs. */
const SAMPLE_LANGUAGES: Record<string, string> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
}

/** Where a link of a guide leads on the site; undefined if the target is not a part of it. */
export type ResolveLink = (href: string) => string | undefined

export function renderGuide(markdown: string, resolve: ResolveLink): RenderedGuide {
  const headings: Heading[] = []
  const ids = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens)
        const id = uniqueId(slugify(text), ids)
        headings.push({ id, level: depth, text })
        const anchor =
          depth === 1 ? '' : html` <a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`.markup
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`
      },
      code: ({ text, lang }) => sample(text, languageOf(lang)).markup,
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : html`${text}`.markup),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolve(href)
        return target === undefined ? text : `<a href="${html`${target}`.markup}">${text}</a>`
      },
      image: ({ text }) => html`${text}`.markup,
    },
  })
  const tokens = marked.lexer(markdown)
  const markup = groupSamples(tokens).map((group) => {
    const rendered = marked.parser(group)
    return group.length > 1 ? `<div class="samples">${rendered}</div>` : rendered
  })
  return { body: trusted(markup.join('')), headings }
}

const sample = (text: string, language: string): Html =>
  html`<div class="sample" data-language="${language}"><pre><code>${text}</code></pre></div>
`

/** `sh no-run` is `sh`. */
const languageOf = (info: string | undefined): string => /^\w*/.exec(info ?? '')![0]

/** Adjacent blocks of code in different languages are one group. Every other block is a group of its own. */
function groupSamples(tokens: Token[]): Token[][] {
  const groups: Token[][] = []
  let previous: Token[] | undefined
  for (const token of tokens) {
    if (token.type === 'space') continue
    const language = token.type === 'code' ? languageOf((token as Tokens.Code).lang) : ''
    const isSample = Object.hasOwn(SAMPLE_LANGUAGES, language)
    const joins = isSample && previous?.every((other) => languageOf((other as Tokens.Code).lang) !== language)
    if (joins) previous!.push(token)
    else {
      const group = [token]
      groups.push(group)
      previous = isSample ? group : undefined
    }
  }
  return groups
}

export const plainText = (tokens: Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

/** As GitHub does it, because links between guides have to work there too. */
export const slugify = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

function uniqueId(id: string, ids: Map<string, number>): string {
  const before = ids.get(id) ?? 0
  ids.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}
