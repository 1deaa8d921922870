/** Every file of the documentation site by its path: pages, their Markdown, the style sheet, the script and the search index. */
import { ERROR_CODES, errorMarkdown } from '../../kernel/error-codes.ts'
import { html } from '../http/html.ts'
import { siteStyle } from '../http/page-look.ts'
import { chaptersOf } from '../openapi/api-reference.ts'
import type { OpenApiDocument } from '../openapi/openapi-shape.ts'
import { chapterPage, referencePages, samplesOf } from '../openapi/reference-pages.ts'
import { type Guide, readGuide } from './guides.ts'
import { renderGuide } from './markdown.ts'
import { guideSections, type NavigationSection } from './navigation.ts'
import { searchIndex } from './search-index.ts'
import { type LinkTo, type Site, type SitePage, sitePage } from './site-page.ts'

export interface SiteSources {
  guides: Guide[]
  document: OpenApiDocument
  style: string
  script: string
}

export interface SiteOptions {
  linkTo: LinkTo
  /** Where the service serves the site, it also serves the fonts, the reference on one page, and answers requests. */
  isServed: boolean
}

export function siteFiles({ guides, document, style, script }: SiteSources, options: SiteOptions): Map<string, string> {
  const { linkTo, isServed } = options
  const errors = Object.keys(ERROR_CODES).map((code) => readGuide(`errors/${code}`, errorMarkdown(code)!))
  const reference = referencePages(document, linkTo)
  const site: Site = { sections: sections(guides, document), linkTo, isServed }
  const names = new Set([...guides, ...errors].map(({ name }) => name))
  const pages: SitePage[] = [
    homePage(guides, site),
    ...[...guides, ...errors].map((guide) => guidePage(guide, names, linkTo)),
    ...reference,
  ]
  return new Map([
    ...pages.map((page) => [`${page.name || 'index'}.html`, sitePage(site, page)] as const),
    ...[...guides, ...errors].map(({ name, text }) => [`${name}.md`, text] as const),
    ...chaptersOf(document).map(
      (chapter) => [`${chapterPage(chapter)}.json`, JSON.stringify(samplesOf(document, chapter))] as const,
    ),
    ['search.json', JSON.stringify(searchIndex(guides, document, reference))],
    ['site.css', siteStyle(style, isServed)],
    ['site.js', script],
  ])
}

function sections(guides: Guide[], document: OpenApiDocument): NavigationSection[] {
  const resources = chaptersOf(document).map((chapter) => ({ name: chapterPage(chapter), title: chapter.name }))
  const all = [{ name: 'reference', title: 'Overview' }, ...resources]
  return [...guideSections(guides), { title: 'API reference', pages: all }]
}

function guidePage(guide: Guide, names: Set<string>, linkTo: LinkTo): SitePage {
  const { name, title, description, text } = guide
  const { body, headings } = renderGuide(text, (href) => resolveLink(href, name, names, linkTo))
  const shown = headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text }))
  return { name, title, description, body, headings: shown, markdown: `${name.split('/').at(-1)}.md` }
}

/** Links of guides are relative to their file, so that they also work in an editor and on GitHub. */
export function resolveLink(href: string, from: string, names: Set<string>, linkTo: LinkTo): string | undefined {
  if (href.startsWith('#') || /^(https?|mailto):/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  if (!file.endsWith('.md')) return undefined
  const { pathname } = new URL(file, `https://docs.invalid/guides/${from}`)
  const name = /^\/guides\/(.+)\.md$/.exec(pathname)?.[1] ?? ''
  return names.has(name) ? linkTo(name, from) + (anchor === undefined ? '' : `#${anchor}`) : undefined
}

function homePage(guides: Guide[], { sections, linkTo, isServed }: Site): SitePage {
  const descriptions = new Map(guides.map(({ name, description }) => [name, description]))
  const to = (page: string) => linkTo(page, '')
  const cards = sections.map(
    ({ title, pages }) => html`<section><h2>${title}</h2><ul class="cards">
${pages.map(({ name, title }) => {
  const description = firstSentence(descriptions.get(name) ?? '')
  return html`<li><a href="${to(name)}">${title}</a>${description && html`<span>${description}</span>`}
`
})}</ul></section>
`,
  )
  return {
    name: '',
    title: 'Documentation',
    description: 'Guides, recipes and the API reference of Posthorn.',
    headings: [],
    body: html`<div class="home"><h1>Posthorn documentation</h1>
<p>Send transactional email, campaigns and workflows from your own server. Start with the <a href="${to('start')}">first email</a>, look up an endpoint in the <a href="${to('reference')}">API reference</a>, or find out what an <a href="${to('errors')}">error</a> means.</p>
${isServed && html`<p>For programs: <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a> and <a href="/llms-full.txt">llms-full.txt</a>. The whole reference is also available <a href="?lang=curl">on one page</a>.</p>`}
${cards}</div>`,
  }
}

const firstSentence = (text: string): string =>
  /^.*?[.:](?= |$)/.exec(text.replaceAll('`', ''))?.[0].replace(/:$/, '.') ?? text
