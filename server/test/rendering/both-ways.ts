/** Renders emails from prepared pieces and as a whole, and compares the results. */
import { expect } from 'vitest'
import { renderEmail } from '../../features/content/composing/compose.ts'
import { newId } from '../../kernel/ids.ts'
import { PRINTABLE } from '../../platform/mime/mime-encoding.ts'
import { createRenderer } from '../../platform/rendering/renderer.ts'
import { deriveSecrets } from '../../platform/secrets.ts'

export const base = 'https://mail.example.com'
const renderer = createRenderer()
const secrets = deriveSecrets('for tests only')
let composedAsWhole = 0

/** How many emails weren't put together from prepared pieces so far. */
export const countComposedAsWhole = () => composedAsWhole

const ctx = {
  secrets,
  baseUrl: base,
  renderer: {
    ...renderer,
    plainText: (...text: Parameters<typeof renderer.plainText>) => {
      composedAsWhole++
      return renderer.plainText(...text)
    },
  },
}
/** Bodies aren't divided into parts, so nothing is prepared. */
const asWhole = {
  ...ctx,
  renderer: {
    ...renderer,
    renderInParts: async (...body: Parameters<typeof renderer.renderInParts>) => {
      const { text } = await renderer.renderInParts(...body)
      return { text, values: [] }
    },
  },
}

export type Email = Parameters<typeof renderEmail>[1]

export const at = new Date('2026-03-04T05:06:07Z')
const emailOf = (content: Partial<Email>, contact_data: Record<string, unknown>): Email => ({
  id: newId(at),
  project_id: '01890000-0000-7000-8000-000000000001',
  contact_id: newId(at),
  to_email: 'ada@example.org',
  to_name: null,
  from_email: 'news@example.com',
  from_name: null,
  reply_to: null,
  headers: {},
  variables: {},
  contact_data,
  created_at: at,
  content_subject: 'News',
  content_body: '',
  content_type: 'MARKETING',
  source_type: 'CAMPAIGN',
  campaign_id: null,
  template_id: null,
  tracking: 'ENABLED',
  language: 'en',
  project_name: 'Acme',
  branding: {},
  ...content,
})

export async function expectSame(content: Partial<Email>, people: Array<Record<string, unknown>>): Promise<void> {
  for (const data of people) {
    const email = emailOf(content, data)
    const { isPrintable, ...rendered } = await renderEmail(ctx, email)
    expect(rendered).toEqual(await renderEmail(asWhole, email))
    if (isPrintable) expect(rendered.html + rendered.text).toMatch(PRINTABLE)
  }
}
