/** The links of campaigns: UTM parameters, what was clicked, and the conversions that follow. */
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { recordBounces } from '../../features/mail/delivery/outcomes.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, recipients, upsert, sendNow } = campaigns

const change = (settings: object) => call('PATCH', `/users/@me/projects/${campaigns.project.id}`, settings)
const LINKS = '<a href="https://shop.example/sale#top">Sale</a> <a href="https://shop.example/?utm_source=own">Own</a>'

async function lastMail() {
  const { raw } = (await campaigns.app.captured()).at(-1)!
  return PostalMime.parse(raw)
}

describe('utm', () => {
  const UTM = { source: 'posthorn', medium: 'email', campaign: '{{ campaign.name | downcase }}' }

  it('is added to the links of marketing email if the project has it, in text and HTML, and to no others', async () => {
    const { body } = await change({ utm: UTM, tracking: 'DISABLED' })
    expect(body.utm).toEqual(UTM)
    await upsert('reader@example.org')
    const id = await create({ name: 'October News', body: LINKS })
    await sendNow(id)
    const added = 'https://shop.example/sale?utm_source=posthorn&utm_medium=email&utm_campaign=october%20news#top'
    const { html, text } = await lastMail()
    expect(html).toContain(`href="${added.replaceAll('&', '&amp;')}"`)
    expect(html).toContain('href="https://shop.example/?utm_source=own"')
    expect(html).not.toMatch(/unsubscribe\/[^"]*utm/)
    expect(text).toContain(added)
    const [{ id: emailId }] = (await recipients(id)).data
    expect((await call('GET', `/emails/${emailId}`)).body.html).toContain('utm_campaign=october%20news')
    await sendNow(await create({ type: 'TRANSACTIONAL', body: LINKS }))
    expect((await lastMail()).html).not.toContain('utm_medium')
    expect((await change({ utm: null })).body.utm).toBeNull()
  })

  it('is that of the campaign rather than of the project, and copies of the campaign have it too', async () => {
    await change({ utm: UTM })
    await upsert('reader@example.org')
    const own = { source: 'news', medium: null, campaign: null }
    const id = await create({ body: LINKS, utm: { source: 'news' } })
    expect((await get(id)).utm).toEqual(own)
    expect((await call('POST', `/campaigns/${id}/duplicate`)).body.utm).toEqual(own)
    await sendNow(id)
    const { text } = await lastMail()
    expect(text).toContain('/sale?utm_source=news#top')
    await sendNow(await create({ body: LINKS, utm: {} }))
    expect((await lastMail()).text).toContain('/sale#top')
  })

  it.each([
    ['an empty setting', { utm: {} }, 'utm'],
    ['a value of 201 characters', { utm: { source: 'x'.repeat(201) } }, 'utm.source'],
    ['broken Liquid', { utm: { campaign: '{{ name' } }, 'utm.campaign'],
    ['an unknown part', { utm: { source: 'a', sauce: 'b' } }, 'utm.sauce'],
  ])('%s is refused with 422', async (_what, settings, field) => {
    const { status, body } = await change(settings)
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
  })
})

/** A campaign to this address; returns its ID and the ID of the email. */
async function sendTo(address: string): Promise<{ id: string; emailId: string }> {
  const id = await create({ body: LINKS })
  await sendNow(id)
  const { data } = await recipients(id)
  return { id, emailId: data.find(({ email }: { email: string }) => email === address).id }
}

async function click(emailId: string, ...links: string[]) {
  const { clock, services } = campaigns.app
  clock.forward(5_000)
  const at = clock.now()
  const hits = links.map((link) => ({ projectId: campaigns.project.id, emailId, at, isBot: false, link }))
  await Promise.all(hits.map((hit) => services.tracking.recordClick(hit)))
}

const buy = (email: string, data: object, event = 'purchase') =>
  call('POST', '/events/track', { event, email, data }).then(({ status }) => expect(status).toBe(200))

const report = async (id: string) => (await call('GET', `/campaigns/${id}/report`)).body

describe('clicks', () => {
  it('are in the report for every link, with its recipients and all of their clicks', async () => {
    await upsert('reader@example.org')
    const { id, emailId } = await sendTo('reader@example.org')
    await click(emailId, 'https://shop.example/a', 'https://shop.example/b', 'https://shop.example/b')
    await click(emailId, 'https://shop.example/b')
    expect((await report(id)).links).toEqual([
      { url: 'https://shop.example/a', clicks: 1, totalClicks: 1 },
      { url: 'https://shop.example/b', clicks: 1, totalClicks: 3 },
    ])
  })

  it('are not in the report if automatic clients made them', async () => {
    await upsert('reader@example.org')
    const { id, emailId } = await sendTo('reader@example.org')
    const at = campaigns.app.clock.now()
    const hit = { projectId: campaigns.project.id, emailId, at, link: 'https://shop.example/a' }
    await campaigns.app.services.tracking.recordClick({ ...hit, isBot: true })
    expect((await report(id)).links).toEqual([])
  })

  it('are deleted with the data of the contact', async () => {
    const contact = await upsert('reader@example.org')
    const { emailId } = await sendTo('reader@example.org')
    await click(emailId, 'https://shop.example/?email=reader@example.org')
    await call('DELETE', `/contacts/${contact}`)
    await campaigns.app.drain()
    const { rows } = await campaigns.app.pool.query('select from link_clicks where email_id = $1', [emailId])
    expect(rows).toEqual([])
  })
})

describe('conversions', () => {
  const SETTING = { conversion: { event: 'purchase', days: 3 } }

  it('count for the email that was clicked last, and their values are added up by currency', async () => {
    expect((await change(SETTING)).body).toMatchObject(SETTING)
    await upsert('buyer@example.org')
    const first = await sendTo('buyer@example.org')
    const second = await sendTo('buyer@example.org')
    await click(second.emailId, 'https://shop.example/sale')
    await click(first.emailId, 'https://shop.example/sale')
    await buy('buyer@example.org', { value: 100.25, currency: 'eur' })
    await buy('buyer@example.org', { value: '20.25', currency: 'EUR' })
    await buy('buyer@example.org', { value: 5, currency: 'USD' })
    await buy('buyer@example.org', { value: 7 })
    await buy('buyer@example.org', { value: 'many', currency: 'EUR' })
    await buy('buyer@example.org', { value: 9, currency: 'EUR' }, 'viewed')
    const results = { convertedCount: 1, revenue: { EUR: 120.5, USD: 5 } }
    expect(await campaigns.stats(first.id)).toMatchObject({ ...results, conversionRate: 1 })
    expect(await report(first.id)).toMatchObject(results)
    expect(await campaigns.stats(second.id)).toMatchObject({ convertedCount: 0, conversionRate: 0, revenue: {} })
  })

  it('need a click of the same contact within the days of the setting, before the event', async () => {
    await change(SETTING)
    await upsert('buyer@example.org')
    await upsert('other@example.org')
    const { id, emailId } = await sendTo('buyer@example.org')
    await buy('buyer@example.org', { value: 1, currency: 'EUR' })
    await click(emailId, 'https://shop.example/sale')
    await buy('other@example.org', { value: 2, currency: 'EUR' })
    campaigns.app.clock.forward(3 * 24 * 3_600_000 + 1_000)
    await buy('buyer@example.org', { value: 4, currency: 'EUR' })
    expect(await campaigns.stats(id)).toMatchObject({ convertedCount: 0, revenue: {} })
    await click(emailId, 'https://shop.example/sale')
    await buy('buyer@example.org', { value: 8, currency: 'EUR' })
    expect(await campaigns.stats(id)).toMatchObject({ convertedCount: 1, revenue: { EUR: 8 } })
  })

  it.each([
    ['an event of an email', { conversion: { event: 'email.open', days: 3 } }, 'conversion.event'],
    ['91 days', { conversion: { event: 'purchase', days: 91 } }, 'conversion.days'],
    ['one soft bounce', { softBounces: { count: 1, days: 3 } }, 'softBounces.count'],
    ['soft bounces without days', { softBounces: { count: 5 } }, 'softBounces.days'],
  ])('%s is refused with 422', async (_what, settings, field) => {
    const { status, body } = await change(settings)
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
  })
})

describe('softBounces', () => {
  const DAY_MS = 24 * 3_600_000

  async function bounce(emailId: string) {
    const at = campaigns.app.clock.now()
    const bounce = {
      projectId: campaigns.project.id,
      emailId,
      at,
      permanent: false,
      response: '452 4.2.2 Mailbox full',
    }
    await recordBounces(campaigns.app.ctx, [bounce])
  }

  const isSuppressed = async () => (await call('GET', '/suppressions?search=full@example.org')).body.data.length === 1

  it('suppress an address after as many in a row, over as many days, and only then', async () => {
    await change({ softBounces: { count: 3, days: 2 } })
    await upsert('full@example.org')
    for (const isLast of [false, false, false, true]) {
      const { emailId } = await sendTo('full@example.org')
      await bounce(emailId)
      expect(await isSuppressed()).toBe(isLast)
      campaigns.app.clock.forward(isLast ? 0 : 0.7 * DAY_MS)
    }
    expect((await call('GET', '/contacts?search=full@example.org')).body.data[0].subscribed).toBe(false)
  })

  it('begin again after an email that did not bounce', async () => {
    await change({ softBounces: { count: 2, days: 1 } })
    await upsert('full@example.org')
    for (const bounces of [true, false, true]) {
      const { emailId } = await sendTo('full@example.org')
      if (bounces) await bounce(emailId)
      campaigns.app.clock.forward(DAY_MS)
    }
    expect(await isSuppressed()).toBe(false)
  })
})
