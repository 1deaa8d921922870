/** Fills a project with demo data for the screenshots: contacts, templates, segments, campaigns, a workflow and its executions. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Posthorn, unwrap } from '../../sdk/index.ts'
import { newId } from '../../server/kernel/ids.ts'
import { openDatabase } from '../mailbox.ts'
import { addLayout, addTemplates, addVisualTemplates, emailBody, readGallery, WINTER_ROAST } from './demo-templates.ts'

const FIRST_NAMES = 'Ada Bea Carl Dora Emil Fay Gus Hana Ivo Jun Kim Lea Max Nora Otto Pia Quin Rosa Sam Tess'.split(
  ' ',
)
const LAST_NAMES = 'Lind Marsh Novak Ortega Park Quist Reyes Sato Turner Ueda Vance Weber'.split(' ')
const CITIES = ['Lisbon', 'Oslo', 'Porto', 'Graz', 'Lyon', 'Cork']
const CONTACTS = 240
const LONG_ADDRESS = 'maximiliane.von-und-zu-hohenstein-wiesenfeld+newsletter@marketing.department.example.org'
export interface DemoProject {
  contact: string
  email: string
  segment: string
  members: string
  template: string
  visual: string
  order: string
  layout: string
  gallery: { slug: string; html: string }[]
  campaign: string
  draft: string
  scheduled: string
  workflow: string
  execution: string
  /** The path of a recipient's preferences page. */
  preferences: string
  /** The path of the page that shows an email in a browser. */
  inBrowser: string
}

/** The branding of the project. */
const BRAND = {
  name: 'Sunrise Coffee',
  brandColor: '#7d5200',
  postalAddress: 'Sunrise Coffee, 12 Harbour Street, Cork, Ireland',
  socialLinks: [
    { network: 'website', url: 'https://example.com' },
    { network: 'instagram', url: 'https://example.com/instagram' },
  ],
} as const

export async function createDemoProject(
  posthorn: Posthorn,
  projectId: string,
  databaseUrl: string,
): Promise<DemoProject> {
  await unwrap(posthorn.projects.update(projectId, BRAND as never))
  await unwrap(posthorn.domains.create({ domain: 'news.sunrise.example' }))
  await addContacts(posthorn)
  const templates = await addTemplates(posthorn)
  const { newsletter, order } = await addVisualTemplates(posthorn)
  const segments = await addSegments(posthorn)
  const campaigns = await addCampaigns(posthorn, segments.pro)
  await simulateOpensAndClicks(posthorn, campaigns.sent)
  const workflow = await addWorkflow(posthorn, templates)
  const email = await sendEmails(posthorn, templates.receipt)
  await addPastEmails(projectId, databaseUrl, email)
  const [{ id: contact } = { id: '' }] = (await unwrap(posthorn.contacts.list({ email: 'ada.lind0@example.org' }))).data
  const execution = await findCompletedExecution(posthorn, workflow)
  const { sent: campaign, draft, scheduled } = campaigns
  await unwrap(posthorn.projects.invitations.create(projectId, { email: 'mia@example.org', role: 'MEMBER' }))
  return {
    contact,
    email,
    segment: segments.pro,
    members: segments.tastingPanel,
    template: templates.welcome,
    visual: newsletter,
    order,
    layout: await addLayout(posthorn),
    gallery: await readGallery(posthorn),
    campaign,
    draft,
    scheduled,
    workflow,
    execution,
    ...(await recipientLinks(posthorn, newsletter)),
  }
}

/** The paths of the pages that an email links to. */
async function recipientLinks(posthorn: Posthorn, template: string) {
  const { emails } = await unwrap(posthorn.emails.send({ to: 'bea.marsh1@example.org', template }))
  const id = emails[0]!.email
  await waitUntil(async () => (await unwrap(posthorn.emails.get(id))).status === 'DELIVERED')
  const { html } = await unwrap(posthorn.emails.get(id))
  const pathOf = (page: string) => new RegExp(`/${page}/[\\w.-]+`).exec(html ?? '')?.[0] ?? ''
  return { preferences: pathOf('manage'), inBrowser: pathOf('view') }
}

async function addContacts(posthorn: Posthorn): Promise<void> {
  const rows = Array.from({ length: CONTACTS }, (_, i) => {
    const [firstName, lastName] = [FIRST_NAMES[i % FIRST_NAMES.length]!, LAST_NAMES[i % LAST_NAMES.length]!]
    const address = `${firstName}.${lastName}${i}@example.org`.toLowerCase()
    return `${address},${firstName},${CITIES[i % 6]},${i % 3 === 0 ? 'pro' : 'free'},${i % 17 !== 5}`
  })
  const { jobId } = await unwrap(posthorn.contacts.import(`email,name,city,plan,subscribed\n${rows.join('\n')}\n`))
  await waitUntil(async () => (await unwrap(posthorn.contacts.getImport(jobId))).status === 'COMPLETED')
  await unwrap(posthorn.contacts.upsert({ email: LONG_ADDRESS, data: { name: 'Maximiliane', plan: 'pro' } }))
}

async function addSegments(posthorn: Posthorn) {
  const condition = {
    logic: 'OR' as const,
    groups: [
      {
        filters: [
          { field: 'data.plan', operator: 'equals', value: 'pro' },
          { field: 'subscribed', operator: 'equals', value: true },
        ],
      },
      { filters: [{ field: 'event.opened-app', operator: 'triggeredWithin', value: 7, unit: 'days' as const }] },
    ],
  }
  const pro = await unwrap(
    posthorn.segments.create({
      name: 'Active customers',
      description: 'Contacts on the pro plan, or who opened the app this week.',
      condition,
      trackMembership: true,
    }),
  )
  const tastingPanel = await unwrap(posthorn.segments.create({ name: 'Tasting panel', type: 'STATIC' }))
  const emails = ['bea.marsh1@example.org', 'carl.novak2@example.org', LONG_ADDRESS]
  await unwrap(posthorn.segments.addMembers(tastingPanel.id, { emails }))
  return { pro: pro.id, tastingPanel: tastingPanel.id }
}

async function addWorkflow(posthorn: Posthorn, templates: { welcome: string; tips: string }): Promise<string> {
  const description = 'Sends a welcome email, and brewing tips a day later.'
  const { id } = await unwrap(
    posthorn.workflows.create({ name: 'Welcome', description, eventName: 'signed-up', allowReentry: true }),
  )
  const addStep = async (type: string, config: object, name?: string, templateId?: string) =>
    (await unwrap(posthorn.workflows.steps.create(id, { type, config, name, templateId } as never))).id
  const connect = (fromStepId: string, toStepId: string, branch?: 'yes' | 'no') =>
    unwrap(posthorn.workflows.transitions.create(id, { fromStepId, toStepId, branch }))
  const plan = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const welcome = await addStep('SEND_EMAIL', {}, undefined, templates.welcome)
  const checkPlan = await addStep('CONDITION', plan, 'On the pro plan?')
  const waitForApp = await addStep('WAIT_FOR_EVENT', { eventName: 'opened-app', timeout: 86_400 })
  const markActive = await addStep('UPDATE_CONTACT', { updates: { stage: 'active' } }, 'Mark as active')
  const sendTips = await addStep('SEND_EMAIL', {}, 'Send brewing tips', templates.tips)
  const exit = await addStep('EXIT', { reason: 'Free plan' })
  await connect(welcome, checkPlan)
  await connect(checkPlan, waitForApp, 'yes')
  await connect(checkPlan, exit, 'no')
  await connect(waitForApp, markActive, 'yes')
  await connect(waitForApp, sendTips, 'no')
  await unwrap(posthorn.workflows.update(id, { enabled: true }))
  for (let i = 0; i < 12; i++) await track(posthorn, i, 'signed-up')
  await waitUntil(async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'WAITING' }))).total >= 4)
  for (const i of [0, 3]) await track(posthorn, i, 'opened-app')
  await waitUntil(
    async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'COMPLETED' }))).total >= 2,
  )
  return id
}

const addressOf = (i: number) =>
  `${FIRST_NAMES[i % FIRST_NAMES.length]}.${LAST_NAMES[i % LAST_NAMES.length]}${i}@example.org`.toLowerCase()

const track = (posthorn: Posthorn, i: number, event: string, data: Record<string, unknown> = {}) =>
  unwrap(posthorn.events.track({ email: addressOf(i), event, data } as never))

async function findCompletedExecution(posthorn: Posthorn, workflow: string): Promise<string> {
  return (await unwrap(posthorn.workflows.executions.list(workflow, { status: 'COMPLETED' }))).data[0]!.id
}

async function addCampaigns(posthorn: Posthorn, segmentId: string) {
  const content = (subject: string) => ({
    subject,
    body: emailBody(subject, 'Hi {{name ?? "there"}}, our new roast has notes of cherry and cocoa.'),
    from: 'hello@example.com',
    fromName: 'Sunrise Coffee',
  })
  const create = async (name: string, subject: string, fields: object) =>
    (await unwrap(posthorn.campaigns.create({ name, ...content(subject), ...fields } as never))).id
  const scheduled = await create('Winter roast', 'The winter roast is here', {
    audienceType: 'SEGMENT',
    segmentId,
    body: undefined,
    document: WINTER_ROAST,
  })
  await unwrap(
    posthorn.campaigns.send(scheduled, { scheduledFor: new Date(Date.now() + 3 * 86_400_000).toISOString() }),
  )
  const draft = await create(
    'A campaign with a very long name about the anniversary of the shop and its customers',
    'Ten years of Sunrise',
    { audienceType: 'ALL' },
  )
  const sent = await create('Autumn news', "What's new this autumn", { audienceType: 'ALL' })
  await unwrap(posthorn.campaigns.send(sent))
  await waitUntil(async () => (await unwrap(posthorn.campaigns.get(sent))).status === 'SENT')
  return { sent, draft, scheduled }
}

async function sendEmails(posthorn: Posthorn, template: string): Promise<string> {
  const recipients = ['bounce', 'complaint', 'reject'].map((name) => `${name}@simulator.posthorn.test`)
  const mail = {
    subject: 'Your order is delayed',
    body: '<p>We are sorry for the delay.</p>',
    from: 'hello@example.com',
  }
  for (const to of [...recipients, LONG_ADDRESS]) await unwrap(posthorn.emails.send({ to, ...mail }))
  for (let i = 0; i < 8; i++) await track(posthorn, i * 5, 'purchase', { total: 12.5 + i, items: i + 1 })
  for (let i = 0; i < 9; i++) await track(posthorn, 20 + i, 'opened-app', { version: '2.1' })
  const { emails } = await unwrap(
    posthorn.emails.send({ to: 'ada.lind0@example.org', template, data: { order: '2041' } }),
  )
  return emails[0]!.email
}

/** Simulates opens and clicks of some recipients. */
async function simulateOpensAndClicks(posthorn: Posthorn, campaign: string): Promise<void> {
  let n = 0
  for await (const { id } of posthorn.emails.all({ campaignId: campaign })) {
    n++
    if (n % 2 === 0) await unwrap(posthorn.emails.simulate(id, { outcome: 'open' }))
    if (n % 6 === 0) await unwrap(posthorn.emails.simulate(id, { outcome: 'click' }))
    if (n >= 120) return
  }
}

const DAYS = 60
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The outcome of the nth email: shares of opens and clicks, and now and then a bounce or a complaint. */
function outcomeOf(n: number, sentAt: Date) {
  const after = (minutes: number) => new Date(sentAt.getTime() + minutes * MINUTE_MS)
  const isBounced = n % 121 === 0
  const opens = !isBounced && (n * 7) % 100 < 46
  const clicks = opens && (n * 7) % 100 < 12
  return {
    sent_at: sentAt,
    delivered_at: isBounced ? null : after(1),
    opened_at: opens ? after(30) : null,
    clicked_at: clicks ? after(31) : null,
    bounced_at: isBounced ? after(1) : null,
    complained_at: n % 4_000 === 1 ? after(40) : null,
    status: isBounced ? 'BOUNCED' : clicks ? 'CLICKED' : opens ? 'OPENED' : 'DELIVERED',
  }
}

/**
 * Adds the receipts of the last two months, so that the charts have something to show. They are copies of an email with
 * the outcomes of others, and the events of those outcomes. The database derives all counts from them.
 */
async function addPastEmails(projectId: string, databaseUrl: string, emailId: string): Promise<void> {
  const today = new Date().setUTCHours(0, 0, 0, 0)
  const emails: ({ id: string; n: number } & ReturnType<typeof outcomeOf>)[] = []
  for (let daysAgo = DAYS - 1; daysAgo > 0; daysAgo--) {
    const count = Math.round(210 + 90 * Math.sin(daysAgo / 2.2) + (daysAgo % 7 === 3 ? 260 : 0) - 2 * daysAgo)
    for (let i = 0; i < count; i++) {
      const sentAt = new Date(today - daysAgo * DAY_MS + 480 * MINUTE_MS + i * MINUTE_MS)
      const n = emails.length + 1
      emails.push({ id: newId(sentAt), n, ...outcomeOf(n, sentAt) })
    }
  }
  const client = await openDatabase(databaseUrl)
  const rows = `from jsonb_to_recordset($1::jsonb) as past(id uuid, n int, status text, sent_at timestamptz,
    delivered_at timestamptz, opened_at timestamptz, clicked_at timestamptz, bounced_at timestamptz, complained_at timestamptz)`
  const json = JSON.stringify(emails)
  await client.query('begin')
  // Contacts are older than the first email, and in the order of their ids.
  await client.query(
    `update contacts set created_at = now() - make_interval(days => ${DAYS + 2}, hours => (1000 - c.position)::int)
     from (select id, row_number() over (order by id) as position from contacts where project_id = $1) as c
     where contacts.project_id = $1 and contacts.id = c.id and c.position <= ${CONTACTS}`,
    [projectId],
  )
  await client.query(
    `insert into emails (project_id, id, contact_id, content_id, to_email, subject, from_email, from_name, variables,
       source_type, template_id, status, created_at, updated_at)
     select e.project_id, past.id, c.id, e.content_id, c.email, 'Your order ' || past.n, e.from_email, e.from_name,
       jsonb_build_object('order', past.n::text), e.source_type, e.template_id, past.status, past.sent_at, past.sent_at
     ${rows}
     join emails e on e.project_id = $2 and e.id = $3
     join (select id, email, row_number() over (order by id) as position from contacts where project_id = $2) as c
       on c.position = past.n % ${CONTACTS} + 1`,
    [json, projectId, emailId],
  )
  await client.query(
    `update emails set sent_at = past.sent_at, delivered_at = past.delivered_at, opened_at = past.opened_at,
       clicked_at = past.clicked_at, bounced_at = past.bounced_at, complained_at = past.complained_at
     ${rows} where emails.project_id = $2 and emails.id = past.id`,
    [json, projectId],
  )
  await client.query(
    `insert into events (project_id, id, name, contact_id, email_id, data, created_at)
     select $2, id_at(at, past.n * 10 + place), name, e.contact_id, e.id, jsonb_build_object('subject', e.subject), at
     ${rows} join emails e on e.project_id = $2 and e.id = past.id
     cross join lateral (values (1, 'email.sent', past.sent_at), (2, 'email.delivery', past.delivered_at),
       (3, 'email.open', past.opened_at), (4, 'email.click', past.clicked_at), (5, 'email.bounce', past.bounced_at),
       (6, 'email.complaint', past.complained_at)) as happened(place, name, at)
     where at is not null`,
    [json, projectId],
  )
  await client.query('commit')
  await client.end()
}

const POLL_MS = 200
const MAX_POLLS = 300

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < MAX_POLLS; i++) {
    if (await isDone()) return
    await pause(POLL_MS)
  }
  throw new Error('The demo data was not processed in time.')
}
