/** Scheduled campaigns: what happens when they are due, late, unverified or canceled. */
import { describe, expect, it } from 'vitest'
import { recoverCampaigns } from '../../features/automation/campaigns/sending.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, upsert, create, get, sendNow } = campaigns

describe('a scheduled campaign', () => {
  const schedule = async (id: string, inMs: number) =>
    call('POST', `/campaigns/${id}/send`, {
      scheduledFor: new Date(campaigns.app.clock.now().getTime() + inMs).toISOString(),
    })

  it('is sent once at the next start if it is due while no worker runs', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await campaigns.app.pool.query('delete from posthorn_queue.jobs')
    campaigns.app.clock.forward(3_600_000)
    await Promise.all([recoverCampaigns(campaigns.app.ctx), recoverCampaigns(campaigns.app.ctx)])
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1, heldReason: null })
  })

  it('is not started if it is late by more than an hour, the owner is notified of the reason, and it can still be sent', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    campaigns.app.clock.forward(62 * 60_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({
      status: 'SCHEDULED',
      heldReason: expect.stringContaining('more than an hour'),
      sentCount: 0,
    })
    const notice = (await campaigns.app.captured()).find(({ recipients }) =>
      recipients.includes(campaigns.project.owner.email),
    )
    expect(String(notice?.raw)).toContain('was not sent at its scheduled time')
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', heldReason: null, sentCount: 1 })
  })

  it('whose domain is no longer verified at the scheduled time is not started', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await campaigns.app.pool.query("update domains set status = 'PENDING' where project_id = $1", [
      campaigns.project.id,
    ])
    campaigns.app.clock.forward(61_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', heldReason: expect.stringContaining('not verified') })
  })

  it('never starts if it is canceled', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await call('POST', `/campaigns/${id}/cancel`)
    campaigns.app.clock.forward(120_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', sentCount: 0 })
  })
})
