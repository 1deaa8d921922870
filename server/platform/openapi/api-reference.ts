/**
 * The page at /docs: the OpenAPI document as one self-contained HTML page. It works without its script, which adds copy
 * buttons, a search, and the choice of a language at every example: the menu on a phone opens by its anchor, groups are collapsible, and a click on an example selects it.
 */

import { type Html, html, inlineText, joined, proseText } from '../http/html.ts'
import { horn, page, REFERENCE_STYLE } from '../http/page-look.ts'
import { requestExample, responseExample } from './api-reference-example.ts'
import {
  alternativesOf,
  type FieldGroup,
  type FieldRow,
  fieldGroups,
  objectAnchor,
  schemaName,
  typeOf,
} from './api-reference-fields.ts'
import { LANGUAGES, type LanguageName, writeExample } from './api-reference-languages.ts'
import { REFERENCE_SCRIPT } from './api-reference-script.ts'
import type { Content, OpenApiDocument, Operation, Parameter, Response } from './openapi-shape.ts'

export interface Entry {
  method: string
  path: string
  operation: Operation
}

export interface Chapter {
  name: string
  anchor: string
  entries: Entry[]
}

/** The examples are in one language; the others are links to the same page. */
export function apiReferencePage(document: OpenApiDocument, language: LanguageName = 'curl'): string {
  const chapters = chaptersOf(document)
  const body = html`<a class="skip" href="#main">Skip to content</a>
<header class="contents"><a class="brand" href="#main">${horn}${document.info.title}</a><a href="#contents">Contents</a></header>
<div class="reference">
${menu(document, chapters, language)}
<main id="main">
${introduction(document, language)}
${authentication(document)}
${errors(document)}
${chapters.map((chapter) => chapterSection(document, chapter, language))}
${objects(document)}
</main>
</div>`
  return page(`${document.info.title} reference`, body, { style: REFERENCE_STYLE, script: REFERENCE_SCRIPT })
}

export function chaptersOf(document: OpenApiDocument): Chapter[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  return document.tags.map(({ name }) => ({
    name,
    anchor: `chapter-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

export const badge = (method: string, word = method) => html`<b class="${method}">${word.toUpperCase()}</b>`

function menu({ info }: OpenApiDocument, chapters: Chapter[], language: LanguageName): Html {
  const groups = chapters.map(
    ({ name, entries }) => html`<details open><summary>${name}</summary><ul>
${entries.map(
  ({
    method,
    operation,
  }) => html`<li><a href="#${operation.operationId}">${badge(method, method === 'delete' ? 'del' : method)}${operation.summary}</a>
`,
)}</ul></details>`,
  )
  return html`<nav class="menu" id="contents" aria-label="Contents">
<a class="close" href="#main">Close</a>
<a class="brand" href="#main">${horn}${info.title} <span class="version">${info.version}</span></a>
${languageMenu(language)}
<ul><li><a href="#authentication">Authentication</a><li><a href="#errors">Errors</a></ul>
${groups}
<ul><li><a href="#objects">Objects</a></ul>
</nav>`
}

function introduction(document: OpenApiDocument, language: LanguageName): Html {
  const { info, servers } = document
  return html`<div class="pair" id="start"><div><h1>${info.title}</h1>
${proseText(info.description)}</div>
${firstExample(document, language)}
<div><p>The base URL is <code>${servers[0]?.url ?? '/'}</code>. This reference is also available as an OpenAPI 3.1 document: <a href="/openapi.json">openapi.json</a>.</p>
<p>Examples read keys and IDs from environment variables. Set <code>POSTHORN_SECRET_KEY</code> and the IDs an example uses, such as <code>CONTACT_ID</code>, then paste it.</p></div></div>`
}

const FIRST = { path: '/v1/send', method: 'post' }

/** The request that sends an email, and its response. */
function firstExample(document: OpenApiDocument, language: LanguageName): Html | undefined {
  const operation = document.paths[FIRST.path]?.[FIRST.method]
  if (!operation) return undefined
  return exampleOf(document, { ...FIRST, operation }, language, 'Send an email')
}

const SCHEME_TITLES: Record<string, string> = {
  secretKey: 'Secret key',
  apiKey: 'API key',
  publicKey: 'Public key',
  session: 'Session',
}

export function authentication(document: OpenApiDocument): Html {
  const { components } = document
  const rows = Object.entries(components.securitySchemes).map(([name, scheme]) => {
    const how = scheme.type === 'http' ? 'Authorization: Bearer …' : `Cookie: ${scheme.name}=…`
    return html`<tr><th>${SCHEME_TITLES[name] ?? name}<td><code>${how}</code><small>${inlineText(scheme.description)}</small>
`
  })
  return html`<section id="authentication"><h2>Authentication</h2>
<table><tbody>${rows}</table>
<p>Most endpoints act on one project. An API key belongs to its project; a session specifies the project in a header:</p>
${parameterTable(document, Object.values(components.parameters).filter(isProjectHeader))}
<p>Every response has an <code>X-Request-Id</code> header. Responses to requests with a key or a session also report the rate limit in <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code>.</p>
</section>`
}

const chapterSection = (document: OpenApiDocument, { name, anchor, entries }: Chapter, language: LanguageName): Html =>
  html`<section id="${anchor}"><h2>${name}</h2>
${entries.map((entry) => article(document, entry, language))}</section>
`

export function article(document: OpenApiDocument, { method, path, operation }: Entry, language: LanguageName): Html {
  const { operationId, summary, description } = operation
  return html`<article class="pair" id="${operationId}"><div><h3><a href="#${operationId}">${summary}</a></h3>
<p class="place">${badge(method)}<code>${path}</code></p>
<p class="who">${whoMayCall(document, operation)}</p>
${description !== undefined && proseText(description)}</div>
${exampleOf(document, { method, path, operation }, language, 'Example')}
<div>${parameters(document, operation)}${requestBody(document, operation)}${replies(document, operation)}</div>
</article>
`
}

function exampleOf(document: OpenApiDocument, entry: Entry, language: LanguageName, title: string): Html {
  const { path, method, operation } = entry
  const request = writeExample(requestExample(document, path, method, operation), language)
  return html`<div class="example"><h4>${title}</h4><pre><code>${request}</code></pre>${exampleOfResponse(document, operation)}</div>`
}

/** Once, to keep the page small; the script repeats it at every example. */
function languageMenu(chosen: LanguageName): Html {
  const links = Object.entries(LANGUAGES).map(([name, { label }]) =>
    name === chosen ? html`<b aria-current="true">${label}</b>` : html`<a href="?lang=${name}">${label}</a>`,
  )
  return html`<p class="languages" id="languages">${links}</p>`
}

function exampleOfResponse(document: OpenApiDocument, operation: Operation): Html | undefined {
  const example = responseExample(document, operation)
  if (!example) return undefined
  return html`<details><summary>Response ${example.status}</summary><pre><code>${example.text}</code></pre></details>`
}

function parametersOf({ components }: OpenApiDocument, operation: Operation): Parameter[] {
  return (operation.parameters ?? []).map((p) => ('$ref' in p ? components.parameters[lastOf(p.$ref)]! : p))
}

const lastOf = (reference: string) => reference.split('/').at(-1)!

/** Half of the endpoints accept the project header of a session, so it is explained once, with the authentication. */
const isProjectHeader = (p: Parameter) => p.name === 'X-Project-Id'

function whoMayCall(document: OpenApiDocument, operation: Operation): Html | string {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement))
  if (schemes.length === 0) return 'No authentication'
  const project = parametersOf(document, operation).some(isProjectHeader) ? ' with X-Project-Id' : ''
  const role = operation['x-role']
    ? `, ${operation['x-role']}${operation['x-role'] === 'OWNER' ? '' : ' or higher'}`
    : ''
  const names = schemes.map((name, i) => {
    const title = SCHEME_TITLES[name] ?? name
    const shown = i === 0 || name === 'apiKey' ? title : title.toLowerCase()
    if (name === 'apiKey') return html`${shown} with <code>${operation['x-required-scope']}</code>`
    return html`${shown}${name === 'session' && project + role}`
  })
  return joined(names, ', or ')
}

function parameters(document: OpenApiDocument, operation: Operation): Html | undefined {
  const shown = parametersOf(document, operation).filter((p) => !isProjectHeader(p))
  if (shown.length === 0) return undefined
  return html`<h4>Parameters</h4>${parameterTable(document, shown)}`
}

function parameterTable({ components }: OpenApiDocument, shown: Parameter[]): Html {
  const rows = shown.map((p) => {
    const wrapped = { properties: { [p.name]: p.schema }, required: p.required ? [p.name] : [] }
    const row = fieldGroups(wrapped, components.schemas)[0]!.rows[0]!
    return fieldRow({ ...row, description: p.description, deprecated: p.deprecated === true }, 'required', p.in)
  })
  return html`<table><tbody>${rows}</table>`
}

function requestBody({ components }: OpenApiDocument, operation: Operation): Html | undefined {
  const body = operation.requestBody
  const [contentType, content] = Object.entries(body?.content ?? {})[0] ?? []
  if (!body || !content) return undefined
  const groups = fieldGroups(content.schema, components.schemas)
  const format = contentType !== 'application/json' && html` <span class="soft">${contentType}</span>`
  return html`<h4>Body${!body.required && ', optional'}${format}</h4>${groups.map((group) => fieldTable(group, 'required'))}`
}

/** Required fields are marked in requests, and optional ones in responses. */
type Marked = 'required' | 'optional'

function fieldTable({ heading, rows }: FieldGroup, marked: Marked): Html {
  return html`<table>${heading !== undefined && html`<caption>${heading}</caption>`}<tbody>${rows.map((row) => fieldRow(row, marked))}</table>`
}

function fieldRow(row: FieldRow, marked: Marked, place?: string): Html {
  const path = html`<code>${brokenAtDots(row.path)}</code>`
  const name = row.deprecated ? html`<s>${path}</s><em class="soft">deprecated</em>` : path
  const mark =
    marked === 'required'
      ? row.required && html`<em>required</em>`
      : !row.required && html`<em class="soft">optional</em>`
  const limits = row.limits.length > 0 && html`<small>${joined(row.limits, ' · ')}</small>`
  const description = row.description !== undefined && html`<br>${inlineText(row.description)}`
  return html`<tr><th>${name}${mark}<td><i>${row.type}${place !== undefined && `, ${place}`}</i>${description}${limits}
`
}

/** Long paths wrap after a dot. */
const brokenAtDots = (path: string): Html =>
  html`${path.split(/(?<=\.)/).map((piece, i) => (i === 0 ? html`${piece}` : html`<wbr>${piece}`))}`

function replies(document: OpenApiDocument, operation: Operation): Html {
  const own: Html[] = []
  const shared: Html[] = []
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) {
      const name = lastOf(response.$ref)
      shared.push(html`<li><a href="#error-${name}" title="${name}">${status}</a>`)
    } else own.push(reply(document, status, response))
  }
  return html`<h4>Responses</h4>${own}<ul class="errors" aria-label="Errors">${shared}</ul>`
}

function reply({ components }: OpenApiDocument, status: string, response: Response): Html {
  const { label, groups } = contentOf(response.content, components.schemas)
  return html`<p class="status"><b>${status}</b> ${inlineText(response.description)}${label && html` <span class="soft">${label}</span>`}</p>${groups.map((group) => fieldTable(group, 'optional'))}`
}

/** The content of a response. An inline object is described by its fields; a named or mixed one also by its type. */
function contentOf(content: Content | undefined, schemas: OpenApiDocument['components']['schemas']) {
  const [contentType, media] = Object.entries(content ?? {})[0] ?? []
  if (!media) return { label: undefined, groups: [] }
  if (contentType !== 'application/json') return { label: html`${contentType}`, groups: [] }
  const groups = fieldGroups(media.schema, schemas)
  const plain = alternativesOf(media.schema).length === 1 && !schemaName(media.schema) && groups.length > 0
  return { label: plain ? undefined : typeOf(media.schema), groups }
}

function objects(document: OpenApiDocument): Html {
  return html`<section id="objects"><h2>Objects</h2>
${Object.keys(document.components.schemas).map((name) => objectArticle(document, name))}</section>`
}

export function objectArticle({ components }: OpenApiDocument, name: string): Html {
  const schema = components.schemas[name]!
  const groups = fieldGroups(schema, components.schemas)
  // A named enumeration has no fields: its own row lists its values.
  const alone = { properties: { [name]: schema }, required: [name] }
  const shown = groups.length > 0 ? groups : fieldGroups(alone, components.schemas)
  return html`<article id="${objectAnchor(name)}"><h3><a href="#${objectAnchor(name)}">${name}</a></h3>
${groups.length > 0 && schema.description !== undefined && proseText(schema.description)}${shown.map((group) => fieldTable(group, 'optional'))}</article>
`
}

export function errors({ components, paths }: OpenApiDocument): Html {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const statuses = new Map(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        '$ref' in response ? [[lastOf(response.$ref), status]] : [],
      ),
    ) as [string, string][],
  )
  const rows = Object.entries(components.responses).map(
    ([
      name,
      response,
    ]) => html`<tr id="error-${name}"><th><code>${statuses.get(name)} ${name}</code><td>${inlineText(response.description)}
`,
  )
  return html`<section id="errors"><h2>Errors</h2>
<p>An error response has one of these statuses and an <a href="#${objectAnchor('Error')}">Error</a> object as its body.</p>
<table><tbody>${rows}</table></section>`
}
