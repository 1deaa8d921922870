/** The recipients of a campaign are stored once, when it starts, and deleted when it ends or is deleted. */
import { expect, it } from 'vitest'
import { freezeCampaign } from '../../features/automation/campaigns/sending.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, addContacts } = campaigns

const frozen = async (id: string): Promise<number> =>
  (
    await campaigns.app.pool.query(
      `select (select count(*) from campaign_recipients where campaign_id = $1)::int
         + (select count(*) from campaign_wave_recipients where campaign_id = $1)::int as count`,
      [id],
    )
  ).rows[0].count

it.each([
  ['a campaign', {}],
  ['a campaign with waves', { spreadMinutes: 60 }],
])('concurrent freezing of %s writes each recipient once', async (_what, timing) => {
  await addContacts(10_001) // more than are frozen during the request
  const id = await create()
  await call('POST', `/campaigns/${id}/send`, timing)
  expect(await frozen(id)).toBe(0)
  await Promise.all(
    [1, 2, 3].map(() => freezeCampaign(campaigns.app.ctx, { projectId: campaigns.project.id, campaignId: id })),
  )
  expect(await frozen(id)).toBe(10_001)
  expect(await get(id)).toMatchObject({ status: 'SENDING', totalRecipients: 10_001 })
  await call('POST', `/campaigns/${id}/cancel`) // sending ten thousand emails would test nothing more
  await campaigns.app.drain()
  expect(await frozen(id)).toBe(0)
})

it.each([
  ['a campaign', {}],
  ['a campaign with waves', { spreadMinutes: 60 }],
])('the recipients of %s are deleted with it', async (_what, timing) => {
  await addContacts(3)
  const id = await create()
  await call('POST', `/campaigns/${id}/send`, timing)
  expect(await frozen(id)).toBe(3)
  await campaigns.app.pool.query('delete from campaigns where id = $1', [id])
  expect(await frozen(id)).toBe(0)
})
