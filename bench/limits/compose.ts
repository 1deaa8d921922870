/**
 * The cost of one email without database and network: rendering its template and composing its MIME message with the
 * service's own functions, one after the other on one core.
 */
import { composeEmail, renderEmail } from '../../server/features/content/composing/compose.ts'
import { newId } from '../../server/kernel/ids.ts'
import { createComposer } from '../../server/platform/mime/composer.ts'
import { createRenderer } from '../../server/platform/rendering/renderer.ts'
import { deriveSecrets } from '../../server/platform/secrets.ts'
import { median } from '../measure.ts'
import { atLeast, printTable, ratio, showBars, tenths, whole } from '../report.ts'

const ROUNDS = 3
const ROUND_MS = 1_500
const WARM_UP_MS = 1_000

type Email = Parameters<typeof composeEmail>[1]

/** A typical email: a dozen values and three links in 5 KB of styled paragraphs. */
const PARAGRAPH = `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#333333">Everything about your order is
kept in one place: when it was packed, where it is now, and what to do should anything be missing or broken. You may send
things back within thirty days, and we pay for the parcel.</p>\n`
const PERSONAL = `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#333333">Dear {{ name | capitalize }}, your
plan is {{ plan ?? "free" }} and you have visited us {{ visits }} times. <a href="https://shop.example.com/orders/{{ visits }}">See
your orders</a>, or answer this mail: somebody reads it.</p>\n`
const TEMPLATE = `<html><body><h1>Thank you</h1>\n${`${PERSONAL}${PARAGRAPH.repeat(4)}`.repeat(3)}</body></html>`

/** Every email has another recipient, so that only the template can be cached. */
const emailTo = (n: number, kind: Partial<Email>): Email => ({
  id: newId(new Date()),
  project_id: '01890000-0000-7000-8000-000000000001',
  contact_id: newId(new Date()),
  to_email: `reader-${n}@example.org`,
  to_name: `Reader ${n}`,
  from_email: 'shop@example.com',
  from_name: 'The shop',
  reply_to: null,
  headers: {},
  variables: { visits: n },
  contact_data: { name: `reader ${n}`, plan: 'pro' },
  created_at: new Date(),
  content_subject: 'Your order, {{ name }}',
  content_body: TEMPLATE,
  content_type: 'TRANSACTIONAL',
  attachments: [],
  source_type: 'TRANSACTIONAL',
  campaign_id: null,
  template_id: null,
  tracking: 'DISABLED',
  language: 'en',
  project_name: 'Bench',
  branding: {},
  ...kind,
})

export async function benchCompose(): Promise<void> {
  const renderer = createRenderer()
  const composer = createComposer()
  const ctx = { renderer, composer, secrets: deriveSecrets('for the bench only'), baseUrl: 'https://mail.example.com' }
  const compose = (kind: Partial<Email>) => async (n: number) => {
    const email = emailTo(n, kind)
    return composeEmail(ctx, email, await renderEmail(ctx, email))
  }
  const works = {
    'rendering alone': (n: number) => renderEmail(ctx, emailTo(n, {})),
    'rendering and composing': compose({}),
    'the same with footer, tracked links and pixel': compose({
      content_type: 'MARKETING',
      source_type: 'CAMPAIGN',
      tracking: 'ENABLED',
    }),
  }
  const rates = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  try {
    for (const work of Object.values(works)) await ratePerSecond(work, WARM_UP_MS)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, work] of Object.entries(works)) rates[name]!.push(await ratePerSecond(work, ROUND_MS))
    }
  } finally {
    await renderer.close()
    await composer.close()
  }
  const limit = median(rates['rendering alone']!)
  const rows = Object.entries(rates).map(([name, all]) => {
    const rate = median(all)
    const bars = name === 'rendering and composing' ? [atLeast(rate, 5_000, 'emails/s')] : []
    return [name, whole(rate), ratio(rate, limit), showBars(bars)]
  })
  const kilobytes = tenths(Buffer.byteLength(TEMPLATE) / 1024)
  printTable(
    `Composing a template of ${kilobytes} KB, one core, median of ${ROUNDS} rounds`,
    ['', 'emails/s', 'ratio', 'target'],
    rows,
  )
}

/** Per second of processor time, so that other programs on the machine don't count. */
async function ratePerSecond(work: (n: number) => Promise<unknown>, ms: number): Promise<number> {
  const before = process.cpuUsage()
  let n = 0
  let spentMs = 0
  while (spentMs < ms) {
    for (let i = 0; i < 20; i++) await work(n++)
    const { user, system } = process.cpuUsage(before)
    spentMs = (user + system) / 1000
  }
  return n / (spentMs / 1000)
}
