/**
 * The API reference of the site: a page for each resource with its endpoints and objects. Examples in other languages than curl,
 * and what the form for trying an endpoint needs, are in a JSON file next to each page, because they are larger than the page.
 */
import { type Html, html, proseText, trusted } from '../http/html.ts'
import {
  article,
  authentication,
  badge,
  type Chapter,
  chaptersOf,
  type Entry,
  errors,
  objectArticle,
} from './api-reference.ts'
import { requestExample } from './api-reference-example.ts'
import { objectAnchor } from './api-reference-fields.ts'
import { isLanguage, LANGUAGES, writeExample } from './api-reference-languages.ts'
import type { OpenApiDocument } from './openapi-shape.ts'

export interface ReferencePage {
  /** `reference`, or `reference/contacts`. */
  name: string
  title: string
  description: string
  body: Html
  /** The contents of the page, for its menu. */
  headings: Array<{ id: string; text: string }>
}

/** Such as `reference/contacts`. */
export const chapterPage = ({ anchor }: Pick<Chapter, 'anchor'>): string => anchor.replace(/^chapter-/, 'reference/')

/** `linkTo` returns the address of a page as seen from another one. */
export function referencePages(
  document: OpenApiDocument,
  linkTo: (page: string, from: string) => string,
): ReferencePage[] {
  const chapters = chaptersOf(document)
  const resources = chapters.flatMap((chapter) => resourcePages(document, chapter))
  const objects = placeObjects(document, chapters)
  const pageOf = new Map<string, string>([
    ...resources.flatMap((page) => page.headings.map(({ id }) => [id, page.name] as const)),
    ...[...objects].flatMap(([page, names]) => names.map((name) => [objectAnchor(name), page] as const)),
    ...Object.keys(document.components.responses).map((name) => [`error-${name}`, 'reference'] as const),
  ])
  /** The parts are those of the reference on one page, so their links have only an anchor. */
  const linked = (page: string, body: Html): Html =>
    trusted(
      body.markup.replaceAll(/href="#([^"]+)"/g, (whole, id: string) => {
        const target = pageOf.get(id)
        return target === undefined || target === page ? whole : html`href="${`${linkTo(target, page)}#${id}`}"`.markup
      }),
    )
  const pages = [overview(document, chapters, linkTo), ...resources, ...objectPages(document, objects)]
  return pages.map((page) => ({ ...page, body: linked(page.name, page.body) }))
}

function overview(
  document: OpenApiDocument,
  chapters: Chapter[],
  linkTo: (page: string, from: string) => string,
): ReferencePage {
  const name = 'reference'
  const list = chapters.map(
    (chapter) => html`<li><a href="${linkTo(chapterPage(chapter), name)}">${chapter.name}</a>
`,
  )
  return {
    name,
    title: 'API reference',
    description: 'Every endpoint, its fields and examples.',
    headings: [
      { id: 'resources', text: 'Resources' },
      { id: 'authentication', text: 'Authentication' },
      { id: 'errors', text: 'Errors' },
    ],
    body: html`<h1>API reference</h1>
${proseText(document.info.description)}
<p>The base URL is <code>${document.servers[0]?.url ?? '/'}</code>. Examples read keys and IDs from environment variables, such as <code>POSTHORN_SECRET_KEY</code> and <code>CONTACT_ID</code>.</p>
<section id="resources"><h2>Resources</h2><ul class="columns">
${list}</ul></section>
${authentication(document)}
${errors(document)}`,
  }
}

/** What the articles of a page may take, so that a page stays small on a phone. A resource with more has several pages. */
const PAGE_MAX_BYTES = 60_000

function resourcePages(document: OpenApiDocument, chapter: Chapter): ReferencePage[] {
  const { name, entries } = chapter
  const list = entries.map(
    ({
      method,
      path,
      operation,
    }) => html`<li><a href="#${operation.operationId}">${badge(method)}<code>${path}</code></a>
`,
  )
  const articles = entries.map((entry) => ({ entry, body: article(document, entry, 'curl') }))
  const parts = splitBySize(articles, ({ body }) => Buffer.byteLength(body.markup), PAGE_MAX_BYTES)
  return parts.map((part, i) => ({
    name: chapterPage(chapter) + (i === 0 ? '' : `-${i + 1}`),
    title: i === 0 ? name : `${name}, part ${i + 1}`,
    description: `${part.map(({ entry }) => entry.operation.summary).join('; ')}.`,
    headings: part.map(({ entry: { operation } }) => ({ id: operation.operationId, text: operation.summary })),
    body: html`<h1>${name}${i > 0 && `, part ${i + 1}`}</h1>
<ul class="endpoints">
${list}</ul>
${part.map(({ body }) => body)}`,
  }))
}

/** A part has at least one item, and otherwise no more than the maximum. */
function splitBySize<T>(items: T[], sizeOf: (item: T) => number, most: number): T[][] {
  const parts: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (parts.length === 0 || size > left) {
      parts.push([])
      left = most
    }
    parts.at(-1)!.push(item)
    left -= size
  }
  return parts
}

const OBJECTS = '-objects'

function objectPages(document: OpenApiDocument, objects: Map<string, string[]>): ReferencePage[] {
  return [...objects].map(([name, names]) => {
    const title = `Objects: ${names.join(', ')}`
    return {
      name,
      title: title.length > 60 ? `${title.slice(0, 60)}…` : title,
      description: `The fields of ${names.join(', ')}.`,
      headings: names.map((object) => ({ id: objectAnchor(object), text: object })),
      body: html`<h1>Objects</h1>
${names.map((object) => objectArticle(document, object))}`,
    }
  })
}

/** Each object is described once, with the resource whose endpoints use it first. */
function placeObjects(document: OpenApiDocument, chapters: Chapter[]): Map<string, string[]> {
  const { components } = document
  const left = new Set(Object.keys(components.schemas))
  const placed = new Map<string, string[]>()
  for (const chapter of chapters) {
    const own: string[] = []
    const visit = (value: unknown): void => {
      for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        if (!left.delete(name!)) continue
        own.push(name!)
        visit(components.schemas[name!])
      }
    }
    visit(chapter.entries.map(({ operation }) => operation))
    if (chapter === chapters.at(-1)) own.push(...left) // such as the error, which only shared responses name
    const sizeOf = (name: string) => Buffer.byteLength(objectArticle(document, name).markup)
    splitBySize(own.sort(), sizeOf, PAGE_MAX_BYTES).forEach((names, i) => {
      placed.set(`${chapterPage(chapter)}${OBJECTS}${i === 0 ? '' : `-${i + 1}`}`, names)
    })
  }
  return placed
}

/** The endpoints of a resource for the script: samples in every language, and what a request needs. */
export function samplesOf(document: OpenApiDocument, { entries }: Chapter) {
  return Object.fromEntries(entries.map((entry) => [entry.operation.operationId, sampleOf(document, entry)]))
}

function sampleOf(document: OpenApiDocument, { method, path, operation }: Entry) {
  const request = requestExample(document, path, method, operation)
  const languages = Object.keys(LANGUAGES).filter(isLanguage)
  const query = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
  )
  return {
    method: request.method,
    path,
    query,
    auth: operation.security.flatMap((requirement) => Object.keys(requirement)),
    ...(request.body === undefined ? {} : { body: request.body, contentType: request.headers['Content-Type'] }),
    ...(request.files ? { files: request.files } : {}),
    samples: Object.fromEntries(languages.map((language) => [language, writeExample(request, language)])),
  }
}
