/** Billing: the page before and after the first invoice, against a Stripe stand-in on loopback. */
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { startStripeServer } from '../server/test/billing/stripe-server.ts'
import { itInBrowser as it } from './browser.ts'
import { type Dashboard, openTestDashboard } from './use-dashboard.ts'

const KEY = 'sk_test_posthorn'

let stripe: Awaited<ReturnType<typeof startStripeServer>>
let dashboard: Dashboard

beforeAll(async () => {
  stripe = await startStripeServer(KEY)
  dashboard = await openTestDashboard({
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: 'whsec_posthorn',
    STRIPE_PRICE_ID: 'price_1',
    STRIPE_API_BASE: stripe.url,
  })
})
afterAll(async () => {
  await dashboard?.close()
  await stripe?.close()
})

it('the usage tab shows an empty state first, and then each invoice with its amount and links', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=usage'))
  await page.getByRole('button', { name: 'Subscribe' }).waitFor()
  await page.getByText('No invoices yet').waitFor()

  const { posthorn, projectId } = dashboard
  await unwrap(posthorn.projects.billing.checkout(projectId)) // makes the project a customer
  const at = 1_800_000_000
  stripe.invoices.push({
    customer: 'cus_1',
    id: 'in_1',
    number: 'PH-0001',
    status: 'paid',
    currency: 'eur',
    amount_due: 1250,
    amount_paid: 1250,
    created: at,
    period_start: at,
    period_end: at,
    hosted_invoice_url: 'https://invoice.stripe.test/1',
    invoice_pdf: 'https://invoice.stripe.test/1.pdf',
  })
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'PH-0001' })
  await row.getByText('Paid').waitFor()
  expect(await row.textContent()).toContain('€12.50')
  expect(await row.getByRole('link', { name: 'Download invoice PH-0001 as PDF' }).getAttribute('href')).toMatch(
    /1\.pdf$/,
  )
  expectNoErrors()
  await close()
})

it(
  'the usage tab passes the accessibility and width checks',
  () => dashboard.expectAccessible(['settings?tab=usage']),
  60_000,
)
