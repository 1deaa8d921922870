/** Sending a campaign: who receives it, that nobody receives it twice, and that it always completes. */
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { freezeCampaign, sendSlice } from '../../features/automation/campaigns/sending.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, upsert, create, get, stats, recipients, sendNow, addContacts } = campaigns

const sendFirstSlice = (campaignId: string) =>
  sendSlice(
    campaigns.app.ctx,
    campaigns.app.services.delivery,
    { projectId: campaigns.project.id, campaignId, emailIds: [] },
    { attempt: 1 },
  )

const addresses = async (id: string) =>
  (await recipients(id, '?limit=100')).data.map(({ email }: { email: string }) => email).sort()

describe('the recipients of a campaign', () => {
  it('are all subscribed contacts whose address is not suppressed, once each', async () => {
    await upsert('in@example.org')
    await upsert('out@example.org', { subscribed: false })
    await upsert('suppressed@example.org')
    await upsert('both@example.org', { subscribed: false })
    for (const email of ['suppressed@example.org', 'both@example.org']) await call('POST', '/suppressions', { email })
    const id = await create()
    const preview = (await call('POST', '/campaigns/audience-preview', { audienceType: 'ALL' })).body
    expect(preview).toMatchObject({ count: 1, excluded: { unsubscribed: 1, suppressed: 2 } })
    expect(preview.sample.map(({ email }: { email: string }) => email)).toEqual(['in@example.org'])
    const started = await sendNow(id)
    expect(started).toMatchObject({
      status: 'SENDING',
      totalRecipients: 1,
      sentAt: campaigns.app.clock.now().toISOString(),
    })
    expect(await addresses(id)).toEqual(['in@example.org'])
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1, deliveredCount: 1, totalRecipients: 1 })
  })

  it('are all contacts if it is TRANSACTIONAL', async () => {
    await upsert('in@example.org')
    await upsert('out@example.org', { subscribed: false })
    const id = await create({ type: 'TRANSACTIONAL' })
    await sendNow(id)
    expect(await addresses(id)).toEqual(['in@example.org', 'out@example.org'])
  })

  it('are the contacts that match its condition when sending starts', async () => {
    await upsert('early@example.org', { data: { plan: 'pro' } })
    const audienceCondition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    }
    const id = await create({ audienceType: 'FILTERED', audienceCondition })
    await upsert('early@example.org', { data: { plan: 'free' } })
    await upsert('late@example.org', { data: { plan: 'pro' } })
    await sendNow(id)
    expect(await addresses(id)).toEqual(['late@example.org'])
  })

  it('do not include contacts that were added, or started to match, after it was sent', async () => {
    await upsert('in@example.org', { data: { plan: 'pro' } })
    await upsert('turned@example.org', { data: { plan: 'free' } })
    const filters = [{ field: 'data.plan', operator: 'equals', value: 'pro' }]
    const audienceCondition = { logic: 'AND', groups: [{ filters }] }
    const id = await create({ audienceType: 'FILTERED', audienceCondition })
    const reply = await call('POST', `/campaigns/${id}/send`)
    await upsert('new@example.org', { data: { plan: 'pro' } })
    await upsert('turned@example.org', { data: { plan: 'pro' } })
    await campaigns.app.drain()
    expect(reply.body).toMatchObject({ status: 'SENDING', totalRecipients: 1 })
    expect(await addresses(id)).toEqual(['in@example.org'])
    expect(await get(id)).toMatchObject({ status: 'SENT', totalRecipients: 1, sentCount: 1 })
  })

  it.each(['STATIC', 'DYNAMIC'])('are the members of its %s segment', async (type) => {
    await upsert('member@example.org', { data: { plan: 'pro' } })
    await upsert('other@example.org')
    const condition = { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'exists' }] }] }
    const segment = (await call('POST', '/segments', { name: 'S', type, condition })).body
    if (type === 'STATIC') await call('POST', `/segments/${segment.id}/members`, { emails: ['member@example.org'] })
    const id = await create({ audienceType: 'SEGMENT', segmentId: segment.id })
    await sendNow(id)
    expect(await addresses(id)).toEqual(['member@example.org'])
  })

  it('must exist: an empty audience is refused with 400 and the campaign stays a draft', async () => {
    await upsert('out@example.org', { subscribed: false })
    const id = await create()
    const { status, body } = await call('POST', `/campaigns/${id}/send`)
    expect(status).toBe(400)
    expect(body.error.code).toBe('BAD_REQUEST')
    expect((await get(id)).status).toBe('DRAFT')
  })
})

describe('an email of a campaign', () => {
  it('is personalized and has the unsubscribe link and headers, and its campaign', async () => {
    await upsert('ada@example.org', { data: { name: 'Ada', locale: 'de' } })
    const id = await create({ subject: 'Dear {{name}}', body: '<p>{{name | upcase}}</p>' })
    await sendNow(id)
    const { data } = await recipients(id)
    const email = (await call('GET', `/emails/${data[0].id}`)).body
    expect(email).toMatchObject({ subject: 'Dear Ada', sourceType: 'CAMPAIGN', campaignId: id, status: 'DELIVERED' })
    expect(email.html).toContain('ADA')
    expect(email.html).toContain('/unsubscribe/')
    const raw = await campaigns.app.request('GET', `/emails/${data[0].id}/raw`, { key: campaigns.project.secretKey })
    const mail = await PostalMime.parse(String(raw.body))
    expect(mail.headers.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
    )
    const events = (await call('GET', '/events?name=email.sent')).body.data
    expect(events[0].data).toMatchObject({
      campaignId: id,
      templateId: null,
      sourceType: 'CAMPAIGN',
      subject: 'Dear Ada',
    })
    const listed = (await call('GET', `/emails?campaignId=${id}`)).body
    expect(listed.total).toBe(1)
  })
})

describe('the counts of a campaign', () => {
  it('include each email once and follow its status', async () => {
    await upsert('reader@example.org')
    await upsert('bounce@simulator.posthorn.test')
    await upsert('complaint@simulator.posthorn.test')
    await upsert('reject@simulator.posthorn.test')
    const id = await create({ body: '<a href="https://example.com/x">x</a>' })
    await sendNow(id)
    const { data } = await recipients(id)
    const reader = data.find(({ email }: { email: string }) => email === 'reader@example.org').id
    for (const outcome of ['open', 'open', 'click', 'click']) {
      expect((await call('POST', `/emails/${reader}/simulate`, { outcome })).status).toBe(200)
    }
    const expected = {
      totalRecipients: 4,
      sentCount: 3,
      deliveredCount: 2,
      openedCount: 1,
      clickedCount: 1,
      bouncedCount: 1,
      refusedCount: 0,
      failedCount: 1,
      complainedCount: 1,
      unsubscribedCount: 0,
      skippedCount: 0,
      pendingCount: 0,
      deliveryRate: 2 / 3,
      openRate: 1 / 2,
      clickRate: 1 / 2,
      bounceRate: 1 / 3,
      complaintRate: 1 / 3,
      convertedCount: 0,
      conversionRate: 0,
      revenue: {},
    }
    expect(await stats(id)).toEqual(expected)
    campaigns.app.clock.forward(60_000)
    await campaigns.app.fold()
    expect(await stats(id)).toEqual(expected)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 3, bouncedCount: 1 })
    expect((await recipients(id, '?status=FAILED')).data).toHaveLength(1)
    expect((await call('GET', `/campaigns/${id}/recipients?status=bogus`)).status).toBe(400)
  })

  it('include contacts who unsubscribed through a link in it', async () => {
    await upsert('leaving@example.org')
    const id = await create({ body: '<a href="{{unsubscribeUrl}}">leave</a>' })
    await sendNow(id)
    const { data } = await recipients(id)
    const { html } = (await call('GET', `/emails/${data[0].id}`)).body
    const link = /http:\/\/posthorn\.test(\/unsubscribe\/[\w-]+)/.exec(html)![1]!
    await campaigns.app.request('POST', link, {
      text: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(await stats(id)).toMatchObject({ unsubscribedCount: 1 })
  })

  it('let failed emails be retried', async () => {
    await upsert('reject@simulator.posthorn.test')
    const id = await create()
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 0 })
    await campaigns.app.pool.query(`update emails set to_email = 'fine@example.org' where campaign_id = $1`, [id])
    expect((await call('POST', `/campaigns/${id}/retry-failed`)).body).toEqual({ retried: 1 })
    expect((await get(id)).status).toBe('SENDING')
    await campaigns.app.drain()
    campaigns.app.clock.forward(60_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1 })
    expect(await stats(id)).toMatchObject({ failedCount: 0, pendingCount: 0 })
  })
})

describe('while a campaign is being sent', () => {
  /** The recipients are frozen and the first slice is written, but nothing has been delivered. */
  async function halfWay() {
    const id = await create()
    await call('POST', `/campaigns/${id}/send`)
    await freezeCampaign(campaigns.app.ctx, { projectId: campaigns.project.id, campaignId: id })
    return id
  }

  it('a second request to send it starts it only once', async () => {
    await upsert('a@example.org')
    const id = await create()
    const replies = await Promise.all([1, 2, 3].map(() => call('POST', `/campaigns/${id}/send`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await campaigns.app.drain()
    expect((await recipients(id)).total).toBe(1)
    expect((await campaigns.app.captured()).filter(({ recipients: to }) => to[0] === 'a@example.org')).toHaveLength(1)
  })

  it('concurrent and repeated slices give each recipient one email', async () => {
    await addContacts(753)
    const id = await halfWay()
    const ref = { projectId: campaigns.project.id, campaignId: id, emailIds: [] }
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => sendSlice(campaigns.app.ctx, campaigns.app.services.delivery, ref, { attempt: 1 })),
    )
    const written = await campaigns.app.db.selectFrom('emails').select('id').where('campaign_id', '=', id).execute()
    const emailIds = written.map(({ id: email }) => email)
    await Promise.all(
      [1, 2].map(() =>
        sendSlice(campaigns.app.ctx, campaigns.app.services.delivery, { ...ref, emailIds }, { attempt: 2 }),
      ),
    )
    await campaigns.app.drain()
    const mails = await campaigns.app.db
      .selectFrom('emails')
      .select(['contact_id', 'status'])
      .where('campaign_id', '=', id)
      .execute()
    expect(mails).toHaveLength(753)
    expect(new Set(mails.map(({ contact_id }) => contact_id)).size).toBe(753)
    expect(await get(id)).toMatchObject({
      status: 'SENT',
      totalRecipients: 753,
      sentCount: 753,
      deliveredCount: 753,
    })
    const left = await campaigns.app.db
      .selectFrom('campaign_recipients')
      .selectAll()
      .where('campaign_id', '=', id)
      .execute()
    expect(left).toEqual([])
  })

  it('a contact who unsubscribes or is deleted before their email gets nothing, and the campaign completes', async () => {
    const leaves = await upsert('leaves@example.org')
    const deleted = await upsert('deleted@example.org')
    await upsert('stays@example.org')
    const id = await halfWay()
    await call('PATCH', `/contacts/${leaves}`, { subscribed: false })
    await call('DELETE', `/contacts/${deleted}`)
    await campaigns.app.drain()
    const sent = (await recipients(id)).data.filter(({ status }: { status: string }) => status === 'DELIVERED')
    expect(sent.map(({ email }: { email: string }) => email)).toEqual(['stays@example.org'])
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1, totalRecipients: 3 })
    expect((await stats(id)).pendingCount).toBe(0)
  })

  it('canceling it stops all unsent emails', async () => {
    await addContacts(300)
    const id = await halfWay()
    await sendFirstSlice(id)
    expect((await recipients(id)).total).toBe(250)
    expect((await call('POST', `/campaigns/${id}/cancel`)).body.status).toBe('CANCELLED')
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', sentCount: 0 })
    expect((await recipients(id, '?status=CANCELLED')).total).toBe(250)
    expect((await stats(id)).pendingCount).toBe(0)
  })

  it('pausing it also stops queued emails, and resuming it sends all of them', async () => {
    await addContacts(600)
    const id = await halfWay()
    await sendFirstSlice(id)
    const { body } = await call('POST', `/campaigns/${id}/pause`)
    expect(body).toMatchObject({ status: 'SENDING', pausedAt: campaigns.app.clock.now().toISOString() })
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 0 })
    expect((await recipients(id, '?status=PENDING')).total).toBe(250)
    expect((await stats(id)).pendingCount).toBe(600)
    expect((await call('POST', `/campaigns/${id}/resume`)).body.pausedAt).toBeNull()
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 600 })
  })

  it("reaching the project's limit still sends the emails within the limit", async () => {
    await addContacts(300)
    const id = await halfWay()
    await sendFirstSlice(id)
    await campaigns.app.pool.query(
      `update campaigns set paused_at = now(), held_reason = 'The limit is reached.' where id = $1`,
      [id],
    )
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 250 })
  })

  it('an email that is rescheduled keeps the campaign open until then', async () => {
    await upsert('slow@simulator.posthorn.test')
    const id = await create()
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 0 })
    for (let round = 0; round < 12 && (await get(id)).status === 'SENDING'; round++) {
      campaigns.app.clock.forward(30_000)
      await campaigns.app.drain()
    }
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1 })
  })

  it('a template that exceeds its limits fails that email, and the campaign completes', async () => {
    await upsert('a@example.org')
    const id = await create({ body: '{% for i in (1..99999999) %}x{% endfor %}' })
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 0 })
    expect(await stats(id)).toMatchObject({ failedCount: 1 })
  })

  it('a disabled project sends nothing until it is enabled again', async () => {
    await upsert('a@example.org')
    const id = await create()
    await call('POST', `/campaigns/${id}/send`)
    await campaigns.app.pool.query('update projects set disabled_at = now() where id = $1', [campaigns.project.id])
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 0 })
    await campaigns.app.pool.query('update projects set disabled_at = null where id = $1', [campaigns.project.id])
    campaigns.app.clock.forward(61_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1 })
  })
})
