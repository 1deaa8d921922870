import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { trialRoutes } from '../../test/http/openapi-trial-routes.ts'
import { REFERENCE_CSP } from '../http/page-look.ts'
import type { Route } from '../http/route.ts'
import { apiReferencePage } from './api-reference.ts'
import { REFERENCE_SCRIPT } from './api-reference-script.ts'
import { openApiDocument } from './openapi.ts'

const info = { version: '1.2.3', baseUrl: 'https://mail.example.com', describesFields: false }
const document = openApiDocument(trialRoutes, info)
const page = apiReferencePage(document)

const articleOf = (id: string, from = page) => from.match(new RegExp(`<article[^>]* id="${id}">.*?</article>`, 's'))![0]
const decoded = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const withoutScript = (text: string) => text.replace(`<script>${REFERENCE_SCRIPT}</script>`, '')
const exampleOf = (id: string, from = page) => decoded(articleOf(id, from).match(/<pre>.*?<\/pre>/s)![0])
/** The rows of an operation's tables as text: name, mark, type, description and limits run together. */
const rowsOf = (id: string, from = page) => [...articleOf(id, from).matchAll(/<tr>.*/g)].map((row) => decoded(row[0]))

const pageWith = (spec: Partial<Route>) => apiReferencePage(openApiDocument([{ ...trialRoutes[3]!, ...spec }], info))

describe('the API reference page', () => {
  it('shows every operation and lists it in the menu', () => {
    for (const methods of Object.values(document.paths)) {
      for (const { operationId, summary } of Object.values(methods)) {
        expect(decoded(articleOf(operationId))).toContain(summary)
        expect(page).toContain(`<li><a href="#${operationId}">`)
      }
    }
  })

  it('starts with the request that sends an email, and its response', () => {
    const made = pageWith({ path: '/v1/send', method: 'POST' })
    const start = decoded(made.slice(made.indexOf('id="start"'), made.indexOf('id="authentication"')))
    expect(start).toContain('Send an email')
    expect(start).toContain('/v1/send')
    expect(start).toMatch(/Response 2\d\d/)
  })

  it('has a target for every internal link, and no duplicate targets', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!)
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]!)
    expect(new Set(ids).size).toBe(ids.length)
    expect(links.length).toBeGreaterThan(50)
    expect([...new Set(links)].filter((link) => !ids.includes(link))).toEqual([])
  })

  it('needs no style attribute, no event handler and no external resource, and has one script of its own', () => {
    expect(page.split('<script>')).toHaveLength(2)
    expect(withoutScript(page)).not.toMatch(/<script|\son[a-z]+=|\sstyle=|\ssrc=|@import/i)
    const files = [...page.matchAll(/url\("([^"]*)"\)/g)].map((match) => match[1])
    const fonts = ['inter', 'geist-mono'].map((name) => `app/assets/${name}-latin-wght-normal.woff2`)
    expect(files).toEqual(fonts)
    const leads = [...page.matchAll(/href="([^"#][^"]*)"/g)].map((match) => match[1]!)
    const languages = ['node', 'python', 'php', 'go', 'ruby'].map((name) => `?lang=${name}`)
    expect(leads.map((address) => address.split(',')[0])).toEqual(['data:image/svg+xml', ...languages, '/openapi.json'])
  })

  it('is allowed by its content security policy', () => {
    const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map((match) => match[1]!)
    expect(styles).toHaveLength(1)
    const hash = createHash('sha256').update(styles[0]!).digest('base64')
    const scriptHash = createHash('sha256').update(REFERENCE_SCRIPT).digest('base64')
    expect(page).toContain(`<script>${REFERENCE_SCRIPT}</script>`)
    expect(REFERENCE_CSP).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; script-src 'sha256-${scriptHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  it('escapes everything in the document', () => {
    const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    const made = pageWith({
      tag: hostile,
      summary: hostile,
      description: hostile,
      path: `/${hostile}`,
      body: z.object({ [hostile]: z.enum([hostile]).default(hostile).meta({ description: hostile, title: hostile }) }),
      replies: { 200: { description: hostile, schema: z.object({ a: z.literal(hostile) }) } },
    })
    expect(withoutScript(made)).not.toMatch(/<script|<img/i)
    expect(made).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('stays under 400 KB with 150 operations', () => {
    const copies = [...Array(13).keys()]
    const many = copies.flatMap((n) =>
      trialRoutes.map((r) => ({ ...r, path: `/area${n}${r.path}`, tag: `${r.tag} ${n}` })),
    )
    expect(many.length).toBeGreaterThanOrEqual(150)
    expect(Buffer.byteLength(apiReferencePage(openApiDocument(many, info)))).toBeLessThan(400_000)
  })
})

it('an operation shows an example of its response', () => {
  const example = /<details><summary>Response 200<\/summary><pre><code>(.*?)<\/code>/s.exec(articleOf('send'))![1]!
  expect(JSON.parse(decoded(example))).toMatchObject({ success: true, data: { emails: [{}] } })
})

describe('the access of an operation', () => {
  it.each([
    ['send', 'Secret key, or API key with <code>send</code>, or session with X-Project-Id'],
    ['track', 'Public key, or API key with <code>track</code>'],
    ['createProjectMember', 'Secret key, or API key with <code>project:write</code>, or session, ADMIN or higher'],
    ['getUserMe', 'Session'],
    ['getUnsubscribe', 'No authentication'],
  ])('%s is described in words', (id, words) => {
    expect(articleOf(id)).toContain(`<p class="who">${words}</p>`)
  })
})

describe('the fields of an operation', () => {
  it('are named by their dot path, with type, marker and limits', () => {
    expect(rowsOf('send')).toEqual(
      expect.arrayContaining([
        'torequiredstring (email) or object or list of (string (email) or object)',
        'to.emailrequiredstring (email)',
        'subjectstring1 to 998 characters',
        'bodystringHTML; may contain {{name}} & friends <b>.at least 1 character',
        'namedeprecatedstringUse from.name.',
        'headersmap of string',
        'attachmentslist of objectat most 10 items',
        'attachments[].filenamerequiredstringmatches ^[^"\\r\\n]+$',
        'attachments[].dispositionstringone of attachment inline · default "attachment"',
      ]),
    )
  })

  it('are not repeated in an alternative if they are the same', () => {
    expect(rowsOf('send').filter((row) => row.startsWith('to'))).toHaveLength(3)
  })

  it('are grouped by what distinguishes the alternatives', () => {
    const text = articleOf('createSegment')
    expect(text).toContain('<caption>If type is &quot;DYNAMIC&quot;</caption>')
    expect(text).toContain('<caption>If type is &quot;STATIC&quot;</caption>')
  })

  it('link to named schemas, which are described once', () => {
    const rows = rowsOf('createSegment').filter((row) => row.startsWith('condition'))
    expect(rows).toEqual(['conditionrequiredConditionInput', 'conditionCondition or null'])
    expect(articleOf('createSegment')).toContain('<a href="#object-ConditionInput">ConditionInput</a>')
  })

  it('include the condition under which a nested alternative applies', () => {
    const step = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('DELAY'), minutes: z.int() }),
      z.object({ kind: z.literal('EXIT'), reason: z.string() }),
    ])
    const rows = rowsOf('createContact', pageWith({ body: z.object({ step }) }))
    expect(rows).toContain('step.minutesrequiredintegerIf kind is "DELAY"')
    expect(rows).toContain('step.reasonrequiredstringIf kind is "EXIT"')
  })

  it('mark optional ones in a response, and link to named objects', () => {
    const made = pageWith({
      replies: { 200: { description: 'Fine.', schema: z.object({ a: z.string(), b: z.string().optional() }) } },
    })
    expect(rowsOf('createContact', made).slice(-2)).toEqual(['astring', 'boptionalstring'])
    expect(articleOf('listContacts')).toContain('list of <a href="#object-Contact">Contact</a>')
    expect(rowsOf('updateContact')).toContain('createdAtstring (date-time)')
  })

  it('show the values of a named enumeration', () => {
    const status = z.enum(['DRAFT', 'SENT']).meta({ id: 'Status', description: 'How far it is.' })
    const body = z.object({ status: status.nullable(), all: z.array(status), page: z.object({ status }) })
    const made = pageWith({ body })
    expect(rowsOf('createContact', made).slice(0, 4)).toEqual([
      'statusrequiredStatus or nullone of DRAFT SENT',
      'allrequiredlist of Statuseach: one of DRAFT SENT',
      'pagerequiredobject',
      'page.statusrequiredStatusone of DRAFT SENT',
    ])
    expect(rowsOf('object-Status', made)).toEqual(['StatusstringHow far it is.one of DRAFT SENT'])
  })

  it('are one list if schemas are combined', () => {
    expect(rowsOf('createContact')).toEqual(
      expect.arrayContaining(['subscribedboolean', '_metaobject', '_meta.isNewboolean']),
    )
  })

  it('are listed in a section of its own for every named object', () => {
    for (const name of Object.keys(document.components.schemas)) expect(rowsOf(`object-${name}`)).not.toEqual([])
  })
})

describe('the errors of an operation', () => {
  it('link each status to its meaning', () => {
    expect(articleOf('deleteContact')).toContain('<a href="#error-NotFound" title="NotFound">404</a>')
    expect(page).toMatch(/<tr id="error-NotFound"><th><code>404 NotFound<\/code>/)
  })
})

describe('the example of an operation', () => {
  it('sends the example of the schema, quoted for the shell', () => {
    expect(exampleOf('send')).toBe(`curl "https://mail.example.com/v1/send" \\
  -H "Authorization: Bearer $POSTHORN_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "to": "ada@example.org",
    "from": "hello@example.com",
    "subject": "Hello",
    "body": "<p>It'\\''s a <b>letter</b>.</p>"
  }'`)
  })

  it('uses the public key if required, and has all required fields', () => {
    expect(exampleOf('track')).toBe(`curl "https://mail.example.com/v1/track" \\
  -H "Authorization: Bearer $POSTHORN_PUBLIC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "email": "ada@example.org",
    "event": "signed-up"
  }'`)
  })

  it('contains a placeholder for an ID', () => {
    expect(exampleOf('deleteContact')).toBe(`curl -X DELETE "https://mail.example.com/contacts/$CONTACT_ID" \\
  -H "Authorization: Bearer $POSTHORN_SECRET_KEY"`)
  })

  it('has two fields if none is required', () => {
    expect(exampleOf('updateContact')).toContain(`-d '{
    "email": "ada@example.org",
    "subscribed": true
  }'`)
  })

  it('uploads a file, uses a session, or neither', () => {
    expect(exampleOf('importContacts')).toContain('-F file=@"$FILE"')
    expect(exampleOf('getUserMe')).toContain('--cookie "token=$POSTHORN_SESSION"')
    expect(exampleOf('getUnsubscribe')).toBe('curl "https://mail.example.com/unsubscribe/$TOKEN"')
  })

  it('contains required query parameters', () => {
    const made = pageWith({
      method: 'GET',
      body: undefined,
      query: z.object({ from: z.iso.date(), to: z.string().optional() }),
    })
    expect(exampleOf('listContacts', made)).toContain('/contacts?from=2030-01-31"')
  })

  it('is valid for its own schema', () => {
    const sent = JSON.parse(exampleOf('createSegment').match(/-d '(.*)'$/s)![1]!)
    expect(trialRoutes.find((r) => r.path === '/segments')!.body!.safeParse(sent).success).toBe(true)
  })
})
