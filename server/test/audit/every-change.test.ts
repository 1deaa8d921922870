/**
 * Every change of a project is in the audit log or has a record of its own: each route that changes something is called
 * here and its entry compared, or it is listed with the reason why it writes none.
 */
import { expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { EXAMPLES } from '../gate/gate-examples.ts'
import { signUp } from '../harness.ts'
import { png } from '../uploads/images.ts'
import { uploadFile } from '../uploads/upload.ts'
import { useProject } from '../use-project.ts'

const fixture = useProject()
const SECRET_TEXT = 'only in the body'

const WITHOUT_ENTRY: Array<[RegExp, string]> = [
  [/^POST \/(v1\/send|templates\/test$)/, 'an email, which has a timeline'],
  [/^POST \/emails\/\{id\}\/(resend|simulate)$/, 'an email, which has a timeline'],
  [/ \/compat\//, 'an email, which has a timeline'],
  [/^POST \/events\/track$/, 'an event, which is listed itself'],
  [
    /^(POST|PATCH|PUT|DELETE) \/contacts(\/(?!fields)|$)/,
    'contacts, which have a timeline, a record of consent, and jobs',
  ],
  [/^(PUT|DELETE) \/workflows\/\{id\}\/draft$/, 'a draft, which has no effect until it is published'],
  [/^PATCH .*\/versions\/\{number\}$/, 'the name of a version, which is shown in the history'],
  [/^POST \/segments\/\{id\}\/(compute|refresh)$/, 'counts and members that follow from the conditions'],
  [/^POST \/uploads\/image$/, 'an image, which is listed itself'],
  [/\/(checkout|billing-portal)$/, 'a page of Stripe; what is bought there is reported by Stripe'],
]

/** The routes that change something of a project, other than those above. */
const changing = routes
  .filter(({ method, readOnly, access }) => method !== 'GET' && !readOnly && /project$/.test(access))
  .map(({ method, path }) => `${method} ${path}`)

it('every route that changes a project writes an audit entry, unless its change has a record of its own', async () => {
  const { app, project, call } = fixture
  const covered = new Set<string>()
  const problems: string[] = []
  let last: string | undefined

  const entries = async () =>
    (
      await app.pool.query<{ id: string; act: string; details: object; actor_kind: string }>(
        'select id, act, details, actor_kind from audit_log where project_id = $1 and ($2::uuid is null or id > $2) order by id',
        [project.id, last ?? null],
      )
    ).rows
  last = (await entries()).at(-1)?.id

  /** Calls a route, and compares the acts that it has recorded. */
  async function change(route: string, path: string, body: unknown, acts: string | string[]) {
    covered.add(route)
    const method = route.split(' ')[0]!
    const reply = await call(method, path, body)
    if (reply.status >= 300) problems.push(`${route}: ${reply.status} ${JSON.stringify(reply.body)}`)
    const found = await entries()
    last = found.at(-1)?.id ?? last
    const expected = [acts].flat()
    if (found.map(({ act }) => act).join() !== expected.join())
      problems.push(`${route}: ${found.map(({ act }) => act).join() || 'no entry'} instead of ${expected.join()}`)
    if (found.some(({ actor_kind }) => actor_kind !== 'KEY')) problems.push(`${route}: not by the key`)
    if (found.some(({ act, details }) => /^(experiment|recurrence)\./.test(act) && !('name' in details)))
      problems.push(`${route}: doesn't name the campaign`)
    if (JSON.stringify(found).includes(SECRET_TEXT)) problems.push(`${route}: has contents`)
    return reply.body
  }
  /** What a test needs and what is recorded by the way. */
  async function prepare(method: string, path: string, body?: unknown) {
    const reply = await call(method, path, body)
    if (reply.status >= 300) problems.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    last = (await entries()).at(-1)?.id ?? last
    return reply.body
  }
  /** Created, changed and deleted in the same way. */
  async function resource(path: string, kind: string, body: object, changes: object) {
    const { id } = await change(`POST ${path}`, path, body, `${kind}.created`)
    await change(`PATCH ${path}/{id}`, `${path}/${id}`, changes, `${kind}.changed`)
    await change(`DELETE ${path}/{id}`, `${path}/${id}`, undefined, `${kind}.deleted`)
  }

  const body = `<p>${SECRET_TEXT}</p>`
  const content = { subject: 'Hi', body, from: 'us@example.com' }
  const contact = await prepare('POST', '/contacts', { email: 'ada@example.org', data: { plan: 'pro' } })
  await resource('/topics', 'topic', { key: 'news', name: 'News' }, { name: 'All news' })
  await resource('/forms', 'form', { name: 'Footer' }, { name: 'Header' })
  await resource('/layouts', 'layout', EXAMPLES['POST /layouts'] as object, { name: 'Plain' })
  await resource('/saved-blocks', 'saved-blocks', EXAMPLES['POST /saved-blocks'] as object, { name: 'Hero' })
  const image = (await uploadFile(app, '/uploads/image', png(), { key: project.secretKey, field: 'image' })).body
  const imagePath = `/uploads/images/${image.id}`
  await change('PATCH /uploads/images/{id}', imagePath, { folder: 'Logos', alt: 'Acme' }, 'image.changed')
  await change('PATCH /uploads/images/{id}', imagePath, { alt: 'Acme' }, [])
  await change('DELETE /uploads/images/{id}', imagePath, undefined, 'image.deleted')
  await resource('/segments', 'segment', { name: 'S', type: 'STATIC' }, { name: 'Others' })
  await resource(
    '/webhook-endpoints',
    'webhook-endpoint',
    { url: 'http://127.0.0.1:9/', eventTypes: ['*'] },
    { eventTypes: ['email.*'] },
  )
  await resource('/api-keys', 'key', { name: 'Shop', scopes: ['send'] }, { name: 'Web shop' })
  await resource('/templates', 'template', { name: 'T', ...content }, { body: `<b>${SECRET_TEXT}</b>` })

  const template = await prepare('POST', '/templates', { name: 'Receipt', ...content })
  await prepare('PATCH', `/templates/${template.id}`, { subject: 'Hello' })
  const templatePath = `/templates/${template.id}`
  await change(
    'POST /templates/{id}/versions/{number}/restore',
    `${templatePath}/versions/1/restore`,
    undefined,
    'template.changed',
  )
  await change('POST /templates/{id}/duplicate', `${templatePath}/duplicate`, undefined, 'template.created')
  await change('PUT /templates/by-name/{name}', '/templates/by-name/Invoice', content, 'template.created')
  await change(
    'PUT /templates/by-name/{name}',
    '/templates/by-name/Invoice',
    { ...content, subject: 'Bill' },
    'template.changed',
  )
  await change('PUT /templates/by-name/{name}', '/templates/by-name/Invoice', { ...content, subject: 'Bill' }, [])

  const segment = await prepare('POST', '/segments', { name: 'Pros', type: 'STATIC' })
  const members = `/segments/${segment.id}/members`
  await change('POST /segments/{id}/members', members, { emails: ['ada@example.org'] }, 'segment.members-added')
  await change('DELETE /segments/{id}/members', members, { emails: ['ada@example.org'] }, 'segment.members-removed')

  const news = { name: 'News', ...content, audienceType: 'ALL' }
  const created = await change('POST /campaigns', '/campaigns', news, 'campaign.created')
  const campaign = `/campaigns/${created.id}`
  await change('PUT /campaigns/{id}', campaign, { ...news, subject: 'New' }, 'campaign.changed')
  await change('PUT /campaigns/{id}', campaign, { ...news, subject: 'New' }, [])
  await change('PATCH /campaigns/{id}', campaign, { tags: ['a'] }, 'campaign.changed')
  await change(
    'POST /campaigns/{id}/versions/{number}/restore',
    `${campaign}/versions/1/restore`,
    undefined,
    'campaign.changed',
  )
  const copy = await change('POST /campaigns/{id}/duplicate', `${campaign}/duplicate`, undefined, 'campaign.created')
  await change('DELETE /campaigns/{id}', `/campaigns/${copy.id}`, undefined, 'campaign.deleted')
  const experiment = EXAMPLES['PUT /campaigns/{id}/experiment']
  await change('PUT /campaigns/{id}/experiment', `${campaign}/experiment`, experiment, 'experiment.changed')
  await change('DELETE /campaigns/{id}/experiment', `${campaign}/experiment`, undefined, 'experiment.deleted')
  const recurrence = EXAMPLES['PUT /campaigns/{id}/recurrence']
  await change('PUT /campaigns/{id}/recurrence', `${campaign}/recurrence`, recurrence, 'recurrence.changed')
  const [pause, resume] = [`${campaign}/recurrence/pause`, `${campaign}/recurrence/resume`]
  await change('POST /campaigns/{id}/recurrence/pause', pause, undefined, 'recurrence.paused')
  await change('POST /campaigns/{id}/recurrence/resume', resume, undefined, 'recurrence.resumed')
  await change('DELETE /campaigns/{id}/recurrence', `${campaign}/recurrence`, undefined, 'recurrence.deleted')
  await change('POST /campaigns/{id}/test', `${campaign}/test`, { email: 'me@example.org' }, 'campaign.tested')
  const at = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  await change('POST /campaigns/{id}/send', `${campaign}/send`, { scheduledFor: at }, 'campaign.scheduled')
  await change('POST /campaigns/{id}/send', `${campaign}/send`, {}, 'campaign.sent')
  await change('POST /campaigns/{id}/pause', `${campaign}/pause`, undefined, 'campaign.paused')
  await change('POST /campaigns/{id}/resume', `${campaign}/resume`, undefined, 'campaign.resumed')
  await app.drain()
  await app.pool.query("update emails set status = 'OPENED', opened_at = now() where campaign_id = $1", [created.id])
  const followUp = ['segment.created', 'segment.members-added', 'campaign.created']
  await change('POST /campaigns/{id}/follow-up', `${campaign}/follow-up`, { recipients: 'OPENED' }, followUp)
  await app.pool.query("update emails set status = 'FAILED', sent_at = null where campaign_id = $1", [created.id])
  await change('POST /campaigns/{id}/retry-failed', `${campaign}/retry-failed`, undefined, 'campaign.retried')
  await change('POST /campaigns/{id}/cancel', `${campaign}/cancel`, undefined, 'campaign.canceled')
  // A campaign with a running experiment.
  await app.pool.query(
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
     select $1, gen_random_uuid(), 'many' || n || '@example.org', true, true, '{}', now(), now() from generate_series(1, 300) n`,
    [project.id],
  )
  const tested = await prepare('POST', '/campaigns', { ...news, name: 'Tested' })
  await prepare('PUT', `/campaigns/${tested.id}/experiment`, {
    variants: [
      { name: 'A', subject: 'A' },
      { name: 'B', subject: 'B' },
    ],
    share: 50,
    metric: 'opens',
    waitMinutes: 60,
    winner: 'manual',
  })
  await prepare('POST', `/campaigns/${tested.id}/send`, {})
  const winner = `/campaigns/${tested.id}/experiment/winner`
  await change('POST /campaigns/{id}/experiment/winner', winner, { variant: 'A' }, 'experiment.decided')

  const delay = { type: 'DELAY', config: { amount: 1, unit: 'days' } }
  const { id: workflowId } = await change('POST /workflows', '/workflows', { name: 'Welcome' }, 'workflow.created')
  const workflow = `/workflows/${workflowId}`
  const imported = { ...(EXAMPLES['POST /workflows/import'] as object), name: 'Imported' }
  await change('POST /workflows/import', '/workflows/import', imported, 'workflow.created')
  const duplicate = await change(
    'POST /workflows/{id}/duplicate',
    `${workflow}/duplicate`,
    undefined,
    'workflow.created',
  )
  await change('DELETE /workflows/{id}', `/workflows/${duplicate.id}`, undefined, 'workflow.deleted')
  const step = (await change('POST /workflows/{id}/steps', `${workflow}/steps`, delay, 'workflow.changed')).id
  const next = (await prepare('POST', `${workflow}/steps`, delay)).id
  const link = { fromStepId: step, toStepId: next }
  const transition = await change(
    'POST /workflows/{id}/transitions',
    `${workflow}/transitions`,
    link,
    'workflow.changed',
  )
  await change(
    'PATCH /workflows/{id}/steps/{stepId}',
    `${workflow}/steps/${step}`,
    { name: 'Wait' },
    'workflow.changed',
  )
  await change(
    'DELETE /workflows/{id}/transitions/{transitionId}',
    `${workflow}/transitions/${transition.id}`,
    undefined,
    'workflow.changed',
  )
  await change('DELETE /workflows/{id}/steps/{stepId}', `${workflow}/steps/${next}`, undefined, 'workflow.changed')
  const exit = (await prepare('POST', `${workflow}/steps`, { type: 'EXIT', config: {} })).id
  const { steps } = await prepare('GET', workflow)
  const graph = { steps, transitions: [{ fromStepId: step, toStepId: exit }] }
  await change('PUT /workflows/{id}/graph', `${workflow}/graph`, graph, 'workflow.published')
  const enabling = { triggerType: 'MANUAL', enabled: true, allowReentry: true }
  await change('PATCH /workflows/{id}', workflow, enabling, ['workflow.changed', 'workflow.enabled'])
  const executions = `${workflow}/executions`
  const start = { contactId: contact.id }
  const execution = await change('POST /workflows/{id}/executions', executions, start, 'workflow.executions-started')
  for (const [way, body] of [
    ['skip-wait', undefined],
    ['move', { stepId: exit }],
  ] as const) {
    await app.pool.query("update workflow_executions set status = 'WAITING', current_step_id = $1", [step])
    await change(
      `POST /workflows/{id}/executions/{executionId}/${way}`,
      `${executions}/${execution.id}/${way}`,
      body,
      'workflow.executions-moved',
    )
    await change(
      `POST /workflows/{id}/steps/{stepId}/executions/${way}`,
      `${workflow}/steps/${step}/executions/${way}`,
      body,
      'workflow.executions-moved',
    )
  }
  await change(
    'DELETE /workflows/{id}/executions/{executionId}',
    `${executions}/${execution.id}`,
    undefined,
    'workflow.executions-canceled',
  )
  await change(
    'POST /workflows/{id}/executions/segment',
    `${executions}/segment`,
    { segmentId: segment.id },
    'workflow.executions-started',
  )
  await change(
    'POST /workflows/{id}/executions/cancel-all',
    `${executions}/cancel-all`,
    undefined,
    'workflow.executions-canceled',
  )
  await app.pool.query("update workflow_executions set status = 'FAILED' where id = $1", [execution.id])
  await change(
    'POST /workflows/{id}/executions/{executionId}/retry',
    `${executions}/${execution.id}/retry`,
    undefined,
    'workflow.execution-retried',
  )
  await change('PATCH /workflows/{id}', workflow, { enabled: false }, 'workflow.disabled')
  await change(
    'POST /workflows/webhook-secret/rotate',
    '/workflows/webhook-secret/rotate',
    undefined,
    'workflow.secret-rotated',
  )

  const endpoint = await prepare('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/', eventTypes: ['*'] })
  const hook = `/webhook-endpoints/${endpoint.id}`
  await change('POST /webhook-endpoints/{id}/test', `${hook}/test`, {}, 'webhook-endpoint.tested')
  await change(
    'POST /webhook-endpoints/{id}/rotate-secret',
    `${hook}/rotate-secret`,
    {},
    'webhook-endpoint.secret-rotated',
  )
  const [delivery] = (await prepare('GET', `${hook}/deliveries`)).data
  await change(
    'POST /webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
    `${hook}/deliveries/${delivery.id}/replay`,
    {},
    'webhook-endpoint.replayed',
  )
  await change(
    'POST /webhook-endpoints/{id}/replay',
    `${hook}/replay`,
    { since: '2026-01-01T00:00:00Z' },
    'webhook-endpoint.replayed',
  )

  const domain = await change('POST /domains', '/domains', { domain: 'other.example' }, 'domain.added')
  const warmUp = { startedOn: '2026-11-01', perDay: 5, growth: 1 }
  await change('PATCH /domains/{id}', `/domains/${domain.id}`, { warmUp }, 'domain.changed')
  await change('DELETE /domains/{id}', `/domains/${domain.id}`, undefined, 'domain.removed')
  await change('POST /suppressions', '/suppressions', { email: 'gone@example.org' }, 'suppression.added')
  await change('DELETE /suppressions/{email}', '/suppressions/gone@example.org', undefined, 'suppression.removed')
  await change('POST /suppressions', '/suppressions', { email: 'gone@example.org' }, 'suppression.added')
  await change('POST /suppressions/delete', '/suppressions/delete', { filter: {} }, 'suppressions.removed')
  covered.add('POST /suppressions/import') // a file; server/test/suppressions/list-files.test.ts has its entry
  covered.add('POST /events/import') // a file; server/test/events/history.test.ts has its entry
  await change('DELETE /contacts/fields/{field}', '/contacts/fields/plan', undefined, 'contact-field.deleted')
  await prepare('POST', '/events/track', { email: 'ada@example.org', event: 'paid' })
  await change('DELETE /events/{eventName}', '/events/paid', undefined, 'events.deleted')

  const later = { to: 'ada@example.org', ...content, sendAt: at }
  const email = (await prepare('POST', '/v1/send', later)).data.emails[0].email
  await change(
    'PATCH /emails/{id}',
    `/emails/${email}`,
    { sendAt: new Date(Date.parse(at) + 1_000).toISOString() },
    'email.rescheduled',
  )
  await change('POST /emails/{id}/cancel', `/emails/${email}/cancel`, undefined, 'email.canceled')

  const key = await prepare('POST', '/api-keys', { name: 'Other', scopes: ['send'] })
  await change('POST /api-keys/{id}/rotate', `/api-keys/${key.id}/rotate`, {}, 'key.rotated')
  const person = await signUp(app)
  const team = `/projects/${project.id}`
  await change(
    'POST /projects/{id}/members',
    `${team}/members`,
    { email: person.email, role: 'MEMBER' },
    'member.added',
  )
  await change(
    'PATCH /projects/{id}/members/{userId}',
    `${team}/members/${person.id}`,
    { role: 'ADMIN' },
    'member.role-changed',
  )
  await change('DELETE /projects/{id}/members/{userId}', `${team}/members/${person.id}`, undefined, 'member.removed')
  const invited = { email: 'new@example.org', role: 'MEMBER' }
  const invitation = await change('POST /projects/{id}/invitations', `${team}/invitations`, invited, 'invitation.made')
  const path = `${team}/invitations/${invitation.id}`
  await change(
    'POST /projects/{id}/invitations/{invitationId}/link',
    `${path}/link`,
    undefined,
    'invitation.link-created',
  )
  await change('DELETE /projects/{id}/invitations/{invitationId}', path, undefined, 'invitation.withdrawn')
  const own = `/users/@me/projects/${project.id}`
  await change('PATCH /users/@me/projects/{id}', own, { language: 'de' }, 'project.changed')
  await change(
    'PUT /users/@me/projects/{id}/billing-limits',
    `${own}/billing-limits`,
    { campaigns: 100_000 },
    'billing-limits.changed',
  )
  await change('POST /users/@me/projects/{id}/reset', `${own}/reset`, { confirm: 'x' }, 'project.reset')
  // The key is no longer valid after these; server/test/audit/audit.test.ts has their entries.
  for (const route of ['POST /users/@me/projects/{id}/regenerate-keys', 'DELETE /users/@me/projects/{id}'])
    covered.add(route)

  expect(problems).toEqual([])
  const unknown = changing.filter(
    (route) => !covered.has(route) && !WITHOUT_ENTRY.some(([pattern]) => pattern.test(route)),
  )
  expect(unknown, 'record an audit entry, or name the reason in WITHOUT_ENTRY').toEqual([])
  const unused = WITHOUT_ENTRY.filter(([pattern]) => !changing.some((route) => pattern.test(route)))
  expect(unused).toEqual([])
}, 60_000)
