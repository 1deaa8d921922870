/** A project with a life: people, letters, a segment, campaigns, a workflow and what came of them. For pictures. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { openDatabase } from './mailbox.ts'

const GIVEN = 'Ada Bea Carl Dora Emil Fay Gus Hana Ivo Jun Kim Lea Max Nora Otto Pia Quin Rosa Sam Tess'.split(' ')
const FAMILY = 'Lind Marsh Novak Ortega Park Quist Reyes Sato Turner Ueda Vance Weber'.split(' ')
const CITIES = ['Lisbon', 'Oslo', 'Porto', 'Graz', 'Lyon', 'Cork']
const PEOPLE = 240
const LONG_ADDRESS = 'maximiliane.von-und-zu-hohenstein-wiesenfeld+newsletter@marketing.department.example.org'
const LETTER = (
  head: string,
  text: string,
) => `<div style="font-family: Georgia, serif; max-width: 560px; margin: 0 auto; padding: 32px; color: #2b2620">
  <p style="letter-spacing: 2px; font-size: 12px; color: #8a5200">SUNRISE COFFEE</p>
  <h1 style="font-size: 26px; line-height: 1.25">${head}</h1>
  <p style="font-size: 16px; line-height: 1.6">${text}</p>
  <p><a href="https://example.com/shop" style="background: #7d5200; color: #fff; padding: 12px 22px; border-radius: 6px; text-decoration: none">See what is new</a></p>
</div>
`

export interface Shown {
  contact: string
  email: string
  segment: string
  members: string
  template: string
  campaign: string
  draft: string
  scheduled: string
  workflow: string
  execution: string
}

export async function furnish(posthorn: Posthorn, projectId: string, dataDir: string): Promise<Shown> {
  await unwrap(posthorn.projects.update(projectId, { name: 'Sunrise Coffee' }))
  await unwrap(posthorn.domains.create({ domain: 'news.sunrise.example' }))
  await addPeople(posthorn)
  const templates = await addTemplates(posthorn)
  const segments = await addSegments(posthorn)
  const campaigns = await addCampaigns(posthorn, segments.pro)
  await react(posthorn, campaigns.sent)
  const workflow = await addWorkflow(posthorn, templates)
  const email = await sendSome(posthorn, templates.receipt)
  await addPast(projectId, dataDir)
  const [{ id: contact } = { id: '' }] = (await unwrap(posthorn.contacts.list({ email: 'ada.lind0@example.org' }))).data
  const execution = await endedExecution(posthorn, workflow)
  const { sent: campaign, draft, later: scheduled } = campaigns
  return {
    contact,
    email,
    segment: segments.pro,
    members: segments.byHand,
    template: templates.welcome,
    campaign,
    draft,
    scheduled,
    workflow,
    execution,
  }
}

async function addPeople(posthorn: Posthorn): Promise<void> {
  const rows = Array.from({ length: PEOPLE }, (_, i) => {
    const [given, family] = [GIVEN[i % GIVEN.length]!, FAMILY[i % FAMILY.length]!]
    const address = `${given}.${family}${i}@example.org`.toLowerCase()
    return `${address},${given},${CITIES[i % 6]},${i % 3 === 0 ? 'pro' : 'free'},${i % 17 !== 5}`
  })
  const { jobId } = await unwrap(posthorn.contacts.import(`email,name,city,plan,subscribed\n${rows.join('\n')}\n`))
  await until(async () => (await unwrap(posthorn.contacts.getImport(jobId))).status === 'COMPLETED')
  await unwrap(posthorn.contacts.upsert({ email: LONG_ADDRESS, data: { name: 'Maximiliane', plan: 'pro' } }))
}

async function addTemplates(posthorn: Posthorn) {
  const from = { from: 'hello@example.com', fromName: 'Sunrise Coffee' }
  const make = async (name: string, subject: string, body: string, type: 'MARKETING' | 'TRANSACTIONAL' = 'MARKETING') =>
    (await unwrap(posthorn.templates.create({ name, subject, body, type, ...from }))).id
  const hello = LETTER(
    'Good morning {{name ?? "there"}}',
    'Your first bag is on us. Tell us how you brew, and we pick the roast.',
  )
  return {
    receipt: await make(
      'Receipt',
      'Your order {{order}}',
      LETTER('Thank you', 'Order {{order}} is packed.'),
      'TRANSACTIONAL',
    ),
    begin: await make(
      'How to begin',
      'Three ways to a better cup',
      LETTER('Three ways to a better cup', 'Water, grind, patience.'),
    ),
    long: await make(
      'The quarterly letter to everyone who has bought a subscription since the beginning',
      'What we learned from roasting a hundred thousand kilograms of coffee in a year, and what comes next',
      hello,
    ),
    welcome: await make('Welcome letter', 'Welcome to Sunrise, {{name ?? "friend"}}', hello),
  }
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
      name: 'Regulars',
      description: 'On the pro plan, or in the app this week.',
      condition,
      trackMembership: true,
    }),
  )
  const byHand = await unwrap(posthorn.segments.create({ name: 'Tasting panel', type: 'STATIC' }))
  const emails = ['bea.marsh1@example.org', 'carl.novak2@example.org', LONG_ADDRESS]
  await unwrap(posthorn.segments.addMembers(byHand.id, { emails }))
  return { pro: pro.id, byHand: byHand.id }
}

async function addWorkflow(posthorn: Posthorn, templates: { welcome: string; begin: string }): Promise<string> {
  const description = 'A letter at once, another after a day to whoever has not begun.'
  const { id } = await unwrap(
    posthorn.workflows.create({ name: 'Welcome', description, eventName: 'signed-up', allowReentry: true }),
  )
  const step = async (type: string, config: object, name?: string, templateId?: string) =>
    (await unwrap(posthorn.workflows.steps.create(id, { type, config, name, templateId } as never))).id
  const join = (fromStepId: string, toStepId: string, branch?: 'yes' | 'no') =>
    unwrap(posthorn.workflows.transitions.create(id, { fromStepId, toStepId, branch }))
  const plan = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const welcome = await step('SEND_EMAIL', {}, undefined, templates.welcome)
  const asks = await step('CONDITION', plan, 'Is on the pro plan?')
  const waits = await step('WAIT_FOR_EVENT', { eventName: 'opened-app', timeout: 86_400 })
  const marks = await step('UPDATE_CONTACT', { updates: { stage: 'active' } }, 'Mark as active')
  const shows = await step('SEND_EMAIL', {}, 'Show how to begin', templates.begin)
  const exit = await step('EXIT', { reason: 'free plan' })
  await join(welcome, asks)
  await join(asks, waits, 'yes')
  await join(asks, exit, 'no')
  await join(waits, marks, 'yes')
  await join(waits, shows, 'no')
  await unwrap(posthorn.workflows.update(id, { enabled: true }))
  for (let i = 0; i < 12; i++) await track(posthorn, i, 'signed-up')
  await until(async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'WAITING' }))).total >= 4)
  for (const i of [0, 3]) await track(posthorn, i, 'opened-app')
  await until(async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'COMPLETED' }))).total >= 2)
  return id
}

const addressOf = (i: number) => `${GIVEN[i % GIVEN.length]}.${FAMILY[i % FAMILY.length]}${i}@example.org`.toLowerCase()

const track = (posthorn: Posthorn, i: number, event: string, data: Record<string, unknown> = {}) =>
  unwrap(posthorn.events.track({ email: addressOf(i), event, data } as never))

async function endedExecution(posthorn: Posthorn, workflow: string): Promise<string> {
  return (await unwrap(posthorn.workflows.executions.list(workflow, { status: 'COMPLETED' }))).data[0]!.id
}

async function addCampaigns(posthorn: Posthorn, segmentId: string) {
  const letter = (subject: string) => ({
    subject,
    body: LETTER(subject, 'Cherry, cocoa, a little smoke: the new roast is in, {{name ?? "friend"}}.'),
    from: 'hello@example.com',
    fromName: 'Sunrise Coffee',
  })
  const create = async (name: string, subject: string, audience: object) =>
    (await unwrap(posthorn.campaigns.create({ name, ...letter(subject), ...audience } as never))).id
  const later = await create('Winter roast', 'The winter roast is here', { audienceType: 'SEGMENT', segmentId })
  await unwrap(posthorn.campaigns.send(later, { scheduledFor: new Date(Date.now() + 3 * 86_400_000).toISOString() }))
  const draft = await create(
    'A very long name that somebody gave to a campaign about the anniversary of the shop',
    'Ten years of Sunrise',
    { audienceType: 'ALL' },
  )
  const sent = await create('Autumn news', 'What is new this autumn', { audienceType: 'ALL' })
  await unwrap(posthorn.campaigns.send(sent))
  await until(async () => (await unwrap(posthorn.campaigns.get(sent))).status === 'SENT')
  return { sent, draft, later }
}

async function sendSome(posthorn: Posthorn, template: string): Promise<string> {
  const actors = ['bounce', 'complaint', 'reject'].map((name) => `${name}@simulator.posthorn.test`)
  const mail = { subject: 'Your order is late', body: '<p>Sorry.</p>', from: 'hello@example.com' }
  for (const to of [...actors, LONG_ADDRESS]) await unwrap(posthorn.emails.send({ to, ...mail }))
  for (let i = 0; i < 8; i++) await track(posthorn, i * 5, 'purchase', { total: 12.5 + i, items: i + 1 })
  for (let i = 0; i < 9; i++) await track(posthorn, 20 + i, 'opened-app', { version: '2.1' })
  const { emails } = await unwrap(
    posthorn.emails.send({ to: 'ada.lind0@example.org', template, data: { order: '2041' } }),
  )
  return emails[0]!.email
}

/** Some of those who got the campaign open it, fewer click. */
async function react(posthorn: Posthorn, campaign: string): Promise<void> {
  let n = 0
  for await (const { id } of posthorn.emails.all({ campaignId: campaign })) {
    n++
    if (n % 2 === 0) await unwrap(posthorn.emails.simulate(id, { outcome: 'open' }))
    if (n % 6 === 0) await unwrap(posthorn.emails.simulate(id, { outcome: 'click' }))
    if (n >= 120) return
  }
}

/** Weeks that this machine has not lived through: only the numbers by day, for the charts. */
async function addPast(projectId: string, dataDir: string): Promise<void> {
  const client = await openDatabase(dataDir)
  for (let ago = 1; ago < 30; ago++) {
    const sent = Math.round(210 + 90 * Math.sin(ago / 2.2) + (ago % 7 === 3 ? 260 : 0) - 3 * ago)
    const shares = [1, 0.985, 0.46, 0.12, 0.008, 0.0005].map((share) => Math.round(sent * share))
    await client.query('insert into email_days select $1, current_date - $2::int, $3, $4, $5, $6, $7, $8', [
      projectId,
      ago,
      ...shares,
    ])
  }
  await client.end()
}

const POLL_MS = 200
const TRIES = 300

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    if (await isSo()) return
    await pause(POLL_MS)
  }
  throw new Error('It never came to be.')
}
