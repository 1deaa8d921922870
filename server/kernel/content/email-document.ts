/**
 * The document of the visual editor: the blocks of an email as JSON. It is stored next to the HTML that it is compiled
 * to. Every level is written out instead of recursive, so the depth of a document is limited by its schema.
 */
import { z } from 'zod'
import { isSafeUrl } from './safe-url.ts'

/** More than any real email needs, and few enough to compile in a fraction of a second. */
const BLOCKS_MAX = 300
const BLOCK_LIST_MAX = 100
/** Characters of a list of blocks as JSON. The service reads them at once, while other requests wait. */
const CHARACTERS_MAX = 500_000
const TEXT_MAX = 20_000
const HTML_MAX = 100_000
const URL_MAX = 2_000
const NAME_MAX = 100

/** Further checks of a text that is too long would only take time. */
const atMost = (max: number) => z.string().max(max, { error: `Must be at most ${max} characters.`, abort: true })
const pixels = (min: number, max: number) =>
  z.int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`)

const blockId = z.string().regex(/^[\w-]{1,40}$/, 'Must be 1 to 40 letters, digits, _ or -.')
const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #1d4ed8.')
const align = z.enum(['left', 'center', 'right'])

/** The path of a value such as `firstName` or `order.items`. */
const variable = atMost(NAME_MAX).regex(
  /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u,
  'Must be the name of a value, such as firstName or order.total.',
)
const identifier = atMost(NAME_MAX).regex(/^[a-z_]\w*$/i, 'Must be a simple name, such as item.')

/** Liquid is allowed in a URL. Other schemes, such as `javascript:`, are not. */
const url = atMost(URL_MAX)
  .trim()
  .refine(isSafeUrl, {
    message: 'Must be a URL that starts with https://, http://, mailto:, tel: or a {{ variable }}.',
    params: { code: 'invalid_string' },
  })

const Mark = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['bold', 'italic', 'underline', 'strike']) }),
  z.object({ type: z.literal('link'), attrs: z.object({ href: url }) }),
  z.object({ type: z.literal('textStyle'), attrs: z.object({ color: color.nullish() }) }),
])

const Inline = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: atMost(TEXT_MAX), marks: z.array(Mark).max(10).optional() }),
    z.object({
      type: z.literal('variable'),
      attrs: z.object({ name: variable, fallback: atMost(200).nullish() }),
      marks: z.array(Mark).max(10).optional(),
    }),
    z.object({ type: z.literal('hardBreak') }),
  ])
  .meta({ id: 'InlineContent' })

const inlineContent = z.array(Inline).max(500)

const Paragraph = z
  .object({
    type: z.literal('paragraph'),
    attrs: z.object({ textAlign: align.nullish() }).optional(),
    content: inlineContent.optional(),
  })
  .meta({ id: 'Paragraph' })

const List = z.object({
  type: z.enum(['bulletList', 'orderedList']),
  content: z
    .array(z.object({ type: z.literal('listItem'), content: z.array(Paragraph).max(20) }))
    .min(1)
    .max(200),
})

const everyBlock = {
  id: blockId,
  hideOn: z
    .enum(['mobile', 'desktop'])
    .optional()
    .meta({ description: 'The kind of device on which the block is hidden.' }),
  background: color.optional(),
  paddingTop: pixels(0, 100).optional(),
  paddingBottom: pixels(0, 100).optional(),
}

const SOCIAL_NETWORKS = [
  'website',
  'x',
  'facebook',
  'instagram',
  'linkedin',
  'youtube',
  'tiktok',
  'github',
  'mastodon',
  'bluesky',
  'threads',
] as const

export const SocialLink = z.object({ network: z.enum(SOCIAL_NETWORKS), url }).meta({ id: 'SocialLink' })

const Heading = z.object({
  ...everyBlock,
  type: z.literal('heading'),
  level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  content: inlineContent,
  size: pixels(12, 60).optional().meta({ description: 'Defaults to the size of the level.' }),
  align: align.optional(),
  color: color.optional(),
})

const Text = z.object({
  ...everyBlock,
  type: z.literal('text'),
  content: z.array(z.discriminatedUnion('type', [Paragraph, List])).max(200),
  align: align.optional(),
  color: color.optional(),
  size: pixels(10, 32).optional(),
})

const Button = z.object({
  ...everyBlock,
  type: z.literal('button'),
  label: atMost(200).min(1, 'Must not be empty.'),
  url,
  align: align.optional(),
  color: color.optional().meta({ description: 'The background of the button; the brand color by default.' }),
  textColor: color.optional(),
  borderColor: color.optional(),
  radius: pixels(0, 50).optional(),
  fullWidth: z.boolean().optional(),
})

const Image = z.object({
  ...everyBlock,
  type: z.literal('image'),
  src: url,
  alt: atMost(500).meta({ description: 'Empty for a decorative image.' }),
  decorative: z.boolean().optional().meta({ description: 'Whether the image needs no alternative text. Default: no.' }),
  url: url.optional(),
  width: pixels(10, 800).optional(),
  align: align.optional(),
})

const Divider = z.object({
  ...everyBlock,
  type: z.literal('divider'),
  color: color.optional(),
  thickness: pixels(1, 20).optional(),
})

const Spacer = z.object({ ...everyBlock, type: z.literal('spacer'), height: pixels(4, 200) })

const Social = z.object({
  ...everyBlock,
  type: z.literal('social'),
  links: z.array(SocialLink).max(12).optional().meta({ description: "Defaults to the brand's links." }),
  align: align.optional(),
})

const Logo = z.object({
  ...everyBlock,
  type: z.literal('logo'),
  src: url.optional().meta({ description: "Defaults to the brand's logo." }),
  alt: atMost(500).optional(),
  url: url.optional(),
  width: pixels(10, 800).optional(),
  align: align.optional(),
})

const Footer = z.object({
  ...everyBlock,
  type: z.literal('footer'),
  content: z.array(Paragraph).max(20).optional(),
  address: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the postal address of the project is shown. Default: yes.' }),
  unsubscribe: z.boolean().optional().meta({ description: 'Whether the unsubscribe link is shown. Default: yes.' }),
  align: align.optional(),
  color: color.optional(),
})

const Html = z.object({
  ...everyBlock,
  type: z.literal('html'),
  code: atMost(HTML_MAX).meta({ description: 'HTML; supports Liquid.' }),
})

const Items = z
  .object({
    ...everyBlock,
    type: z.literal('items'),
    list: variable.meta({ description: 'The list in the data, such as `order.items`.' }),
    title: variable.meta({ description: 'This and the following fields name a value of each item.' }),
    text: variable.optional(),
    price: variable.optional(),
    image: variable.optional(),
    url: variable.optional(),
    limit: pixels(1, 100).optional(),
    lines: z
      .boolean()
      .optional()
      .meta({ description: 'Whether lines separate the items, with smaller texts, as on a receipt. Default: no.' }),
  })
  .meta({ description: 'A list of products or other items from the data.' })

const Details = z
  .object({
    ...everyBlock,
    type: z.literal('details'),
    rows: z
      .array(
        z.object({
          label: atMost(200),
          value: atMost(500).meta({ description: 'Supports Liquid, such as `{{ order.total }}`.' }),
          bold: z.boolean().optional().meta({ description: 'For a total: bold, with a line above. Default: no.' }),
        }),
      )
      .max(30, 'Must contain at most 30 rows.'),
  })
  .meta({ description: 'Labels and their values, such as the details of an order.' })

export const ContentBlock = z
  .discriminatedUnion('type', [
    Heading,
    Text,
    Button,
    Image,
    Divider,
    Spacer,
    Social,
    Logo,
    Footer,
    Html,
    Items,
    Details,
  ])
  .meta({ id: 'ContentBlock' })

/** How the columns of a block look as cards. */
export const CARDS = ['border', 'gray', 'light', 'brand'] as const

const Columns = z
  .object({
    ...everyBlock,
    type: z.literal('columns'),
    columns: z
      .array(
        z.object({
          id: blockId,
          width: pixels(5, 95).optional().meta({ description: 'In percent. Columns without a width share the rest.' }),
          blocks: z.array(ContentBlock).max(BLOCK_LIST_MAX),
        }),
      )
      .min(1, 'Must contain 1 to 4 columns.')
      .max(4, 'Must contain 1 to 4 columns.'),
    stack: z.boolean().optional().meta({ description: 'Whether columns are stacked on phones. Default: yes.' }),
    card: z.enum(CARDS).optional().meta({
      description:
        'Shows each column as a card: with a border, or filled with gray, a light brand color or the brand color.',
    }),
  })
  .meta({ id: 'ColumnsBlock' })

const Comparison = z
  .discriminatedUnion('operator', [
    z.object({ variable, operator: z.enum(['exists', 'notExists']) }),
    z.object({
      variable,
      operator: z.enum(['equals', 'notEquals', 'contains', 'greaterThan', 'lessThan']),
      value: z.union([atMost(500), z.number(), z.boolean()]),
    }),
  ])
  .meta({ id: 'BlockCondition' })

const conditionOf = <B extends z.ZodType>(blocks: B) =>
  z.object({
    ...everyBlock,
    type: z.literal('condition'),
    if: Comparison,
    blocks,
    otherwise: blocks.optional().meta({ description: "Shown if the condition isn't met." }),
  })

const loopOf = <B extends z.ZodType>(blocks: B) =>
  z.object({
    ...everyBlock,
    type: z.literal('loop'),
    list: variable,
    item: identifier.meta({ description: 'The name of each item inside the blocks, such as `item`.' }),
    limit: pixels(1, 100).optional(),
    blocks,
  })

const flowBlocks = z.array(z.discriminatedUnion('type', [ContentBlock, Columns])).max(BLOCK_LIST_MAX)
const innerBlocks = z
  .array(z.discriminatedUnion('type', [ContentBlock, Columns, conditionOf(flowBlocks), loopOf(flowBlocks)]))
  .max(BLOCK_LIST_MAX)

export const Block = z
  .discriminatedUnion('type', [ContentBlock, Columns, conditionOf(innerBlocks), loopOf(innerBlocks)])
  .meta({ id: 'Block', description: 'Conditions and loops can be nested one level deep.' })

/** Lists of fonts that every device has one of; web fonts are ignored by most mail clients. */
export const FONTS = ['sans', 'serif', 'rounded', 'mono'] as const

/** The look of a whole email. */
export const EmailStyle = z
  .object({
    width: pixels(320, 800).optional(),
    background: color.optional().meta({ description: 'The color around the email.' }),
    contentBackground: color.optional(),
    textColor: color.optional(),
    linkColor: color.optional(),
    font: z.enum(FONTS).optional(),
    padding: pixels(0, 60).optional().meta({ description: 'The space on both sides of the content.' }),
    margin: pixels(0, 100).optional().meta({
      description: 'The space above and below the content. With a margin, footers at the end are below the content.',
    }),
    radius: pixels(0, 50).optional().meta({ description: 'The radius of the corners of the content.' }),
    darkMode: z.boolean().optional().meta({
      description: 'Whether clients in dark mode show the email in dark colors. Default: no.',
    }),
  })
  .meta({ id: 'EmailStyle' })

/** Refuses too many blocks, counted with those inside others, two with the same id, and too much text in them. */
export function checkBlocks(blocks: readonly AnyBlock[], check: z.RefinementCtx, path: string[]): void {
  const ids = allBlocks(blocks).map(({ id }) => id)
  const refuse = (message: string) => check.addIssue({ code: 'custom', path, message })
  if (ids.length > BLOCKS_MAX) refuse(`Must contain at most ${BLOCKS_MAX} blocks.`)
  if (new Set(ids).size < ids.length) refuse('Must not contain two blocks with the same id.')
  const { length } = JSON.stringify(blocks)
  if (length > CHARACTERS_MAX) {
    const message = `The blocks have ${length} characters as JSON; the maximum is ${CHARACTERS_MAX}. Remove some content.`
    check.addIssue({ code: 'custom', path, message, params: { code: 'too_big' } })
  }
}

/** Blocks on their own: part of a layout, or saved for later. */
export const blockList = z.array(Block).max(BLOCKS_MAX, `Must contain at most ${BLOCKS_MAX} blocks.`)

export const EmailDocument = z
  .object({
    version: z.literal(1),
    settings: EmailStyle.optional().meta({ description: "Defaults to the brand's values." }),
    layoutId: z
      .uuid('Must be a layout ID.')
      .nullish()
      .meta({ description: 'The header and footer around the blocks.' }),
    blocks: blockList,
  })
  .superRefine(({ blocks }, check) => checkBlocks(blocks, check, ['blocks']))
  .meta({ id: 'EmailDocument', description: 'An email made of blocks, as stored by the visual editor.' })

export type EmailDocument = z.output<typeof EmailDocument>
export type Block = z.output<typeof Block>
export type ContentBlock = z.output<typeof ContentBlock>
export type Inline = z.output<typeof Inline>
export type SocialLink = z.output<typeof SocialLink>

interface AnyBlock {
  id: string
  blocks?: AnyBlock[] | undefined
  otherwise?: AnyBlock[] | undefined
  columns?: AnyBlock[] | undefined
}

/** The blocks and the blocks inside them, in reading order. Columns count as blocks. */
export function allBlocks(blocks: readonly AnyBlock[]): AnyBlock[] {
  return blocks.flatMap((block) => [
    block,
    ...allBlocks(block.columns ?? []),
    ...allBlocks(block.blocks ?? []),
    ...allBlocks(block.otherwise ?? []),
  ])
}

export const EDITORS = ['html', 'visual', 'mjml'] as const
export type Editor = (typeof EDITORS)[number]

/** What an email was written in. HTML is always stored: as written, or compiled from the other two. */
export const editorOf = ({ document, mjml }: { document: unknown; mjml: unknown }): Editor =>
  document ? 'visual' : mjml ? 'mjml' : 'html'
