/** The frame of every page of the documentation site: the bar with the search, the sidebar, and the contents of the page. */
import { type Html, html } from '../http/html.ts'
import { horn, iconLink } from '../http/page-look.ts'
import type { NavigationSection } from './navigation.ts'

/** The address of a page or a file of the site as seen from another page; the name of the first page is empty. */
export type LinkTo = (page: string, from: string) => string

export interface SitePage {
  name: string
  title: string
  description: string
  body: Html
  headings: Array<{ id: string; text: string }>
  /** Its address as Markdown, if it has one. */
  markdown?: string
}

export interface Site {
  sections: NavigationSection[]
  linkTo: LinkTo
  /** Requests can be tried where the service itself serves the page. */
  isServed: boolean
}

export function sitePage(site: Site, page: SitePage): string {
  const { name, title, description, body, markdown } = page
  const to = (target: string) => site.linkTo(target, name)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${name === '' ? 'Posthorn documentation' : `${title} · Posthorn`}</title>
<meta name="description" content="${description}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${iconLink}
<link rel="stylesheet" href="${to('site.css')}">
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdown}">\n`}<script src="${to('site.js')}" data-search="${to('search.json')}" data-root="${to('')}" data-page="${name}"${site.isServed && html` data-served`}></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar"><a class="brand" href="${to('')}">${horn}Posthorn</a><div class="tools"></div><a class="open" href="#menu">Menu</a></header>
<div class="site">
${sidebar(site, name)}
<main id="main"><div class="page">
${body}
${markdown !== undefined && html`<p class="foot"><a href="${markdown}">This page as Markdown</a></p>`}</div></main>
${contents(page)}
</div>
</body>
</html>
`.markup
}

function sidebar({ sections, linkTo }: Site, from: string): Html {
  const groups = sections.map(
    ({ title, pages }) => html`<h2>${title}</h2><ul>
${pages.map(
  (
    page,
  ) => html`<li><a href="${linkTo(page.name, from)}"${page.name === from && html` aria-current="page"`}>${page.title}</a>
`,
)}</ul>
`,
  )
  return html`<nav class="sidebar" id="menu" aria-label="Documentation"><a class="close" href="#main">Close</a>
${groups}</nav>`
}

function contents({ headings }: SitePage): Html | undefined {
  if (headings.length < 2) return undefined
  return html`<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>
${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a>\n`)}</ul></nav>`
}
