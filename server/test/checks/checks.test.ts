/** The checks of an email against the data of a project: its audience, its fields and its images. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChecks } from '../../features/content/checks/actions.ts'
import { measureCoverage } from '../../features/content/checks/queries.ts'
import type { Branding } from '../../kernel/content/branding.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app, 'Acme')
  await setBranding({ postalAddress: 'Main Street 1, Berlin' })
  for (let i = 0; i < 8; i++) {
    await call('POST', '/contacts', {
      email: `reader-${i}@example.org`,
      data: { plan: i < 6 ? 'pro' : 'free', ...(i > 0 ? { firstName: 'Ada' } : {}), profile: { city: 'Berlin' } },
    })
  }
  await app.drain()
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const setBranding = (branding: Branding) =>
  app.pool.query('update projects set branding = $2 where id = $1', [project.id, branding])

const TEXT = '<p>This is a text that is long enough to be a real email.</p>'
const email = (fields: object) => ({ subject: 'News', preheader: 'What happened.', body: TEXT, ...fields })
const check = async (fields: object) => (await call('POST', '/templates/check', email(fields))).body
const codesOf = async (fields: object) => (await check(fields)).findings.map(({ code }: { code: string }) => code)

const plan = (value: string) => ({
  audienceType: 'FILTERED',
  audienceCondition: { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }] },
})

describe('POST /templates/check', () => {
  it('finds nothing in a good email, and stores nothing', async () => {
    const before = await app.pool.query('select count(*) from templates')
    expect(await check({})).toEqual({ findings: [], audience: null })
    expect((await app.pool.query('select count(*) from templates')).rows).toEqual(before.rows)
  })

  it('reports problems with their lines in HTML, errors first', async () => {
    const body = `${TEXT}\n<a href="http://a.io">a</a>\n<a href="">b</a>`
    const { findings } = await check({ body })
    expect(findings).toMatchObject([
      { code: 'link.empty', severity: 'error', field: 'body', line: 3 },
      { code: 'link.insecure', severity: 'warning', field: 'body', line: 2 },
    ])
    for (const finding of findings) expect(finding.fix).not.toBe('')
  })

  it('checks long emails in a thread, and reports that a check was stopped at its deadline', async () => {
    const html = `${TEXT}\n<a href="">a</a>\n${'<p>Hello</p>'.repeat(5_000)}`
    expect((await check({ body: html })).findings).toMatchObject([{ code: 'link.empty', field: 'body', line: 2 }])
    const checks = createChecks({ deadlineMs: 1 })
    const content = {
      subject: 'News',
      preheader: '',
      html: '<i>x'.repeat(200_000),
      text: '',
      type: 'MARKETING' as const,
    }
    const more = { document: null, mjml: null, imageSizes: new Map(), variables: [], samples: [], addressIn: undefined }
    expect(await checks.check('p1', { ...content, ...more })).toMatchObject([{ code: 'check.stopped', field: 'body' }])
    await checks.close()
  })

  it('reports the block of a problem in a document', async () => {
    const document = {
      version: 1,
      blocks: [
        {
          id: 'intro',
          type: 'text',
          content: [
            { type: 'paragraph', content: [{ type: 'text', text: 'A text that is long enough to be a real email.' }] },
          ],
        },
        { id: 'shop', type: 'button', label: 'Shop', url: 'http://shop.io/?q=1&x=2' },
        { id: 'foot', type: 'footer' },
      ],
    }
    const { findings } = await check({ body: undefined, document })
    expect(findings).toMatchObject([{ code: 'link.insecure', field: 'document', blockId: 'shop' }])
  })

  const TEXT_BLOCK = {
    id: 'intro',
    type: 'text',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'A text that is long enough to be a real email.' }] },
    ],
  }
  const words = (text: string, marks: object[] = []) => [
    { type: 'paragraph', content: [{ type: 'text', text, ...(marks.length > 0 && { marks }) }] },
  ]

  it.each<[string, object, string]>([
    ['text in a pale color', { type: 'text', color: '#cccccc', content: words('Pale') }, 'contrast.low'],
    [
      'escaped words in a pale color',
      { type: 'text', content: words('<Pale> & "more"', [{ type: 'textStyle', attrs: { color: '#cccccc' } }]) },
      'contrast.low',
    ],
    [
      'a pale label of a button',
      { type: 'button', label: 'Pale', url: 'https://acme.io', color: '#ffffff', textColor: '#eeeeee' },
      'contrast.low',
    ],
    ['a link in HTML', { type: 'html', code: '<a href="http://acme.io/?a=1&amp;b=2">Go</a>' }, 'link.insecure'],
    ['an empty link in HTML', { type: 'html', code: '<p>#1</p><a href="#">Go</a>' }, 'link.empty'],
    [
      'a video in HTML',
      { type: 'html', code: '<video src="https://example.org/a.mp4"></video>' },
      'client.unsupported',
    ],
    ['a style in HTML', { type: 'html', code: '<div style="display: flex">a</div>' }, 'client.unsupported'],
    ['a phrase with an apostrophe', { type: 'text', content: words("This won't last") }, 'spam.phrase'],
    [
      'a phrase that is partly bold',
      {
        type: 'text',
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'A free ' },
              { type: 'text', text: 'gift', marks: [{ type: 'bold' }] },
            ],
          },
        ],
      },
      'spam.phrase',
    ],
  ])('finds %s, and its block', async (_case, block, code) => {
    const document = { version: 1, blocks: [TEXT_BLOCK, { id: 'here', ...block }, { id: 'foot', type: 'footer' }] }
    const { findings } = await check({ body: undefined, document })
    expect(findings).toMatchObject([{ code, field: 'document', blockId: 'here' }])
  })

  it('reports the line of a problem in MJML', async () => {
    const mjml = `<mjml><mj-body><mj-section><mj-column>
      <mj-text>A text that is long enough to be a real email.</mj-text>
      <mj-button href="http://shop.io/?q=1&amp;x=2">Shop</mj-button>
      <mj-text color="#ccc">Pale</mj-text>
      <mj-text>{{ nickname }}</mj-text>
    </mj-column></mj-section></mj-body></mjml>`
    const { findings } = await check({ body: undefined, mjml })
    expect(findings).toMatchObject([
      { code: 'link.insecure', field: 'mjml', line: 3 },
      { code: 'contrast.low', field: 'mjml', line: 4 },
      { code: 'variable.unknown', field: 'mjml', line: 5 },
    ])
  })

  it('reports a variable of the subject or the preheader there', async () => {
    const ofSubject = await check({ subject: 'News for {{ nickname }}' })
    expect(ofSubject.findings).toMatchObject([{ code: 'variable.unknown', field: 'subject' }])
    expect(ofSubject.findings[0]).not.toHaveProperty('line')
    const ofPreheader = await check({ preheader: 'For {{ firstName }}', audience: { audienceType: 'ALL' } })
    expect(ofPreheader.findings).toMatchObject([{ code: 'variable.missing', field: 'preheader' }])
  })

  it.each([
    ['12%', { audienceType: 'ALL' }, ['13% of this audience has no firstName.']],
    ['every contact that matches', plan('free'), []],
    ['those of a condition', plan('pro'), ['17% of this audience has no firstName.']],
  ])('counts how many contacts in the audience have no value: %s', async (_case, audience, expected) => {
    const { findings } = await check({ body: `${TEXT}<p>Hello {{ firstName }}</p>`, audience })
    expect(findings.map(({ message }: { message: string }) => message)).toEqual(expected)
  })

  it('counts nothing if reading the contacts takes too long', async () => {
    const audience = {
      type: 'MARKETING',
      audience_type: 'ALL',
      segment_id: null,
      audience_condition: null,
      topic_id: null,
    } as const
    const measure = (timeoutMs?: number) =>
      measureCoverage(app.db, project.id, audience, [['firstName']], 100, app.clock.now(), timeoutMs)
    const client = await app.pool.connect()
    await client.query('begin; lock table contacts in access exclusive mode')
    expect(await measure(50)).toBeUndefined()
    await client.query('rollback')
    client.release()
    expect(await measure()).toEqual({ contacts: 8, missing: [1] })
  })

  it('counts only contacts that would receive the email', async () => {
    const audience = { audienceType: 'ALL' }
    await call('PATCH', `/contacts/${(await call('GET', '/contacts?search=reader-0')).body.data[0].id}`, {
      subscribed: false,
    })
    const marketing = await check({ body: `${TEXT}{{ firstName }}`, audience })
    const transactional = await check({ body: `${TEXT}{{ firstName }}`, audience, type: 'TRANSACTIONAL' })
    expect(marketing).toEqual({ findings: [], audience: { contacts: 7, isSample: false } })
    expect(transactional.audience).toEqual({ contacts: 8, isSample: false })
    expect(transactional.findings).toHaveLength(1)
  })

  it.each<[string, string, string[]]>([
    ['a fallback', '{{ nickname | default: "you" }}{{ nickname ?? "you" }}', []],
    ['a condition', '{% if nickname %}{{ nickname }}{% endif %}', []],
    ['a nested value', '{{ profile.city }}{{ data.profile.city }}', []],
    ['a nested value that nobody has', '{{ profile.street }}', ['variable.missing']],
    ['what every email has', '{{ email }}{{ id }}{{ unsubscribeUrl }}{{ viewInBrowserUrl }}', []],
    ['a name that nobody has', '{{ nickname }}', ['variable.missing']],
  ])('a value with %s', async (_case, liquid, expected) => {
    expect(await codesOf({ body: `${TEXT}${liquid}`, audience: plan('free') })).toEqual(expected)
  })

  it('without an audience, reports names that no contact has and that are not sent with the email', async () => {
    const body = `${TEXT}{{ firstName }}{{ orderNumber }}{{ resetUrl }}`
    const { findings } = await check({ body, data: { orderNumber: '1' } })
    expect(findings).toMatchObject([
      { code: 'variable.unknown', severity: 'info', message: 'No contact has resetUrl.' },
    ])
  })

  it('reports an audience without recipients', async () => {
    expect(await codesOf({ audience: plan('none') })).toEqual(['audience.empty'])
  })

  it('checks the sizes of images that were uploaded to the same project only', async () => {
    const other = await createProject(app, 'Other')
    for (const [owner, size] of [
      [project.id, 300 * 1024],
      [other.id, 300 * 1024],
    ] as const) {
      await app.pool.query(
        `insert into uploads (project_id, id, storage_key, content_type, size, width, height, created_at)
         values ($1, $2, $3, 'image/png', $4, 1, 1, now())`,
        [owner, newId(new Date()), `${owner}/big.png`, size],
      )
    }
    const image = (owner: string) => `${TEXT}<img src="http://posthorn.test/uploads/${owner}/big.png" alt="Big">`
    expect(await codesOf({ body: image(project.id) })).toEqual(['image.insecure', 'image.large'])
    expect(await codesOf({ body: image(other.id) })).toEqual(['image.insecure'])
  })

  it('refuses broken Liquid and a segment of another project', async () => {
    expect((await call('POST', '/templates/check', email({ body: '{{ a' }))).status).toBe(422)
    const other = await createProject(app, 'Third')
    const { body: segment } = await app.request('POST', '/segments', {
      key: other.secretKey,
      body: { name: 'All', type: 'STATIC' },
    })
    const audience = { audienceType: 'SEGMENT', segmentId: segment.id }
    expect((await call('POST', '/templates/check', email({ audience }))).status).toBe(404)
  })
})

describe('what a marketing email must not be sent with', () => {
  it('no postal address, unless the project says that its emails contain one', async () => {
    await setBranding({})
    expect(await codesOf({})).toEqual(['address.missing'])
    expect(await codesOf({ type: 'TRANSACTIONAL' })).toEqual([])
    await setBranding({ addressInContent: true })
    expect(await codesOf({})).toEqual([])
  })

  it('an untouched email of the gallery, whose blocks are named', async () => {
    const { body: template } = await call('GET', '/templates/gallery/newsletter')
    const { findings } = await check({ body: undefined, document: template.document })
    const codes = findings.map(({ code }: { code: string }) => code)
    expect([...new Set(codes)]).toEqual(expect.arrayContaining(['link.example', 'text.sample']))
    const placed = findings.filter(({ code }: { code: string }) => ['link.example', 'text.sample'].includes(code))
    expect(placed.every(({ blockId }: { blockId?: string }) => blockId !== undefined)).toBe(true)
  })
})

describe('GET /campaigns/{id}/checks', () => {
  it('checks the saved campaign with its audience', async () => {
    const { body: campaign } = await call('POST', '/campaigns', {
      name: 'News',
      from: 'hello@example.com',
      ...email({ body: `${TEXT}<p>{{ lastName }}</p><a href="/x">x</a>` }),
      ...plan('free'),
    })
    const { status, body } = await call('GET', `/campaigns/${campaign.id}/checks`)
    expect(status).toBe(200)
    expect(body.audience).toEqual({ contacts: 2, isSample: false })
    expect(body.findings).toMatchObject([
      { code: 'link.relative', severity: 'error', field: 'body', line: 1 },
      { code: 'variable.missing', message: '100% of this audience has no lastName.' },
    ])
  })

  it('checks each variant of an experiment instead, and names the variant of what is its own', async () => {
    const { body: campaign } = await call('POST', '/campaigns', {
      name: 'News',
      from: 'hello@example.com',
      ...email({ subject: 'FREE MONEY NOW!!!', body: `${TEXT}<p>{{ lastName }}</p>` }),
      ...plan('free'),
    })
    const experiment = { share: 50, metric: 'opens', waitMinutes: 60, winner: 'automatic' }
    const variants = [
      { name: 'Short', subject: 'News of {{ city }}' },
      { name: 'Long', subject: 'News', body: `${TEXT}<a href="/x">x</a>` },
    ]
    expect((await call('PUT', `/campaigns/${campaign.id}/experiment`, { ...experiment, variants })).status).toBe(200)
    const { body } = await call('GET', `/campaigns/${campaign.id}/checks`)
    const found = body.findings.map(({ code, field, variant }: Record<string, string>) => [
      code,
      field,
      variant ?? null,
    ])
    expect(found).toEqual([
      ['link.relative', 'body', 'Long'],
      ['variable.missing', 'subject', 'Short'],
      ['variable.missing', 'body', null],
    ])
    expect(body.audience).toEqual({ contacts: 2, isSample: false })
    const draft = { ...email({ body: `${TEXT}<p>{{ lastName }}</p>` }), audience: plan('free'), variants }
    expect((await call('POST', '/templates/check', draft)).body.findings).toEqual(body.findings)
    const broken = { ...draft, variants: [{ name: 'A', subject: '{% if %}' }] }
    const { body: refused } = await call('POST', '/templates/check', broken)
    expect(refused.error.errors).toEqual([expect.objectContaining({ field: 'variants.0.subject' })])
  })
})
