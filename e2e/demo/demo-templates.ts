/** The emails of the demo project: templates, layouts, a saved block and the content of campaigns. */
import { type Posthorn, unwrap } from '../../sdk/index.ts'

export const emailBody = (
  heading: string,
  text: string,
) => `<div style="font-family: Georgia, serif; max-width: 560px; margin: 0 auto; padding: 32px; color: #2b2620">
  <p style="letter-spacing: 2px; font-size: 12px; color: #8a5200">SUNRISE COFFEE</p>
  <h1 style="font-size: 26px; line-height: 1.25">${heading}</h1>
  <p style="font-size: 16px; line-height: 1.6">${text}</p>
  <p><a href="https://example.com/shop" style="background: #7d5200; color: #fff; display: inline-block; padding: 12px 22px; border-radius: 6px; text-decoration: none">Shop now</a></p>
</div>
`

const FROM = { from: 'hello@example.com', fromName: 'Sunrise Coffee' }

export async function addTemplates(posthorn: Posthorn) {
  const createTemplate = async (
    name: string,
    subject: string,
    body: string,
    type: 'MARKETING' | 'TRANSACTIONAL' = 'MARKETING',
  ) => (await unwrap(posthorn.templates.create({ name, subject, body, type, ...FROM }))).id
  const welcomeBody = emailBody(
    'Good morning {{name ?? "there"}}',
    "Your first bag is on us. Tell us how you brew your coffee, and we'll pick a roast for you.",
  )
  return {
    receipt: await createTemplate(
      'Receipt',
      'Your order {{order}}',
      emailBody('Thank you for your order', 'Your order {{order}} is on its way.'),
      'TRANSACTIONAL',
    ),
    tips: await createTemplate(
      'Brewing tips',
      'Three ways to a better cup',
      emailBody('Three ways to a better cup', 'Good water, a fresh grind and a little patience.'),
    ),
    long: await createTemplate(
      'The quarterly newsletter for everyone who has bought a subscription since we opened',
      'What we learned from roasting a hundred thousand kilograms of coffee in a year, and what we plan next',
      welcomeBody,
    ),
    welcome: await createTemplate('Welcome email', 'Welcome to Sunrise, {{name ?? "friend"}}', welcomeBody),
  }
}

/** Templates of the visual editor with all of its blocks, one of which was saved twice. */
export async function addVisualTemplates(posthorn: Posthorn) {
  const createFrom = async (slug: string) => {
    const { name, subject, preheader, type, document } = await unwrap(posthorn.templates.galleryTemplate(slug))
    const template = { name, subject, preheader, type, document, ...FROM }
    return (await unwrap(posthorn.templates.create(template as never))).id
  }
  const newsletter = await createFrom('newsletter')
  await unwrap(
    posthorn.templates.update(newsletter, {
      subject: 'News for March: an editor, and better search',
      tags: ['newsletter'],
    }),
  )
  const order = await createFrom('receipt')
  await unwrap(posthorn.templates.update(order, { tags: ['orders'] }))
  return { newsletter, order }
}

export async function addLayout(posthorn: Posthorn): Promise<string> {
  const header = [{ id: 'logo', type: 'logo' }]
  const footer = [{ id: 'footer', type: 'footer' }]
  const { id } = await unwrap(posthorn.layouts.create({ name: 'Standard', header, footer } as never))
  const blocks = [{ id: 'shop', type: 'button', label: 'Visit the shop', url: 'https://example.com/shop' }]
  await unwrap(posthorn.savedBlocks.create({ name: 'Link to the shop', blocks } as never))
  return id
}

/** The HTML of every gallery template with its sample data. */
export async function readGallery(posthorn: Posthorn): Promise<{ slug: string; html: string }[]> {
  const emails: { slug: string; html: string }[] = []
  for (const { slug } of await unwrap(posthorn.templates.gallery()))
    emails.push({ slug, html: (await unwrap(posthorn.templates.galleryTemplate(slug))).html })
  return emails
}

const wordsOf = (text: string) => [{ type: 'text', text }]

/** An email of the visual editor. */
export const WINTER_ROAST = {
  version: 1,
  blocks: [
    { id: 'logo', type: 'logo' },
    { id: 'title', type: 'heading', level: 1, align: 'center', content: wordsOf('The winter roast is here') },
    {
      id: 'text',
      type: 'text',
      content: [
        {
          type: 'paragraph',
          content: [
            ...wordsOf('Hi '),
            { type: 'variable', attrs: { name: 'name', fallback: 'there' } },
            ...wordsOf(', our new roast has notes of cherry and cocoa. It is roasted on Monday and sent on Tuesday.'),
          ],
        },
      ],
    },
    { id: 'order', type: 'button', label: 'Order a bag', url: 'https://example.com/winter-roast' },
    {
      id: 'tips',
      type: 'columns',
      columns: [
        {
          id: 'filter',
          blocks: [
            { id: 'filter-title', type: 'heading', level: 3, content: wordsOf('For filter') },
            {
              id: 'filter-text',
              type: 'text',
              content: [{ type: 'paragraph', content: wordsOf('16 g for a cup, three minutes.') }],
            },
          ],
        },
        {
          id: 'espresso',
          blocks: [
            { id: 'espresso-title', type: 'heading', level: 3, content: wordsOf('For espresso') },
            {
              id: 'espresso-text',
              type: 'text',
              content: [{ type: 'paragraph', content: wordsOf('18 g in, 36 g out, in 28 seconds.') }],
            },
          ],
        },
      ],
    },
    { id: 'footer', type: 'footer' },
  ],
}
