/** The gallery: ready-made templates that come with Posthorn, the same for every project. */
import type { Context } from '../../../context.ts'
import { allBlocks } from '../../../kernel/content/email-document.ts'
import { notFound } from '../../../kernel/errors.ts'
import { previewTemplate } from '../templates/preview.ts'
import { accountTemplates } from './account-templates.ts'
import { withPictures } from './blocks.ts'
import { marketingTemplates } from './marketing-templates.ts'
import { orderTemplates } from './order-templates.ts'
import type { GalleryTemplate } from './schemas.ts'

export const gallery: GalleryTemplate[] = [...accountTemplates, ...orderTemplates, ...marketingTemplates]

/** The texts of a heading or paragraph without the values of variables, which differ in each email. */
function textsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { content } = node as { content?: unknown }
  if (!Array.isArray(content)) return []
  const own = content.map((child) => (child as { text?: unknown }).text)
  return own.some((text) => typeof text === 'string')
    ? own.filter((text) => typeof text === 'string')
    : content.flatMap(textsIn)
}

/**
 * What the marketing templates tell about products and events that nobody has. Other templates can be sent as they are, and
 * so can texts that several templates share, such as "View this email in your browser".
 */
export const galleryTexts: string[] = onlyOnce(
  marketingTemplates.map(({ document }) => [
    ...new Set(allBlocks(document.blocks).flatMap((block) => textsIn(block).map((text) => text.trim()))),
  ]),
)

function onlyOnce(lists: string[][]): string[] {
  const all = lists.flat()
  return all.filter((text) => all.indexOf(text) === all.lastIndexOf(text))
}

/** Without the documents, which are much longer than the rest. */
export const listGallery = () => gallery.map(({ document: _document, data: _data, ...entry }) => entry)

/** Where this service has the pictures of the gallery. */
export const PICTURES_PATH = '/gallery/pictures'

/** Rendered with the brand of the project, as an email would be. */
export async function getGalleryTemplate(ctx: Context, projectId: string, slug: string) {
  const entry = gallery.find((one) => one.slug === slug)
  if (!entry) throw notFound('gallery template', slug)
  const template = { ...entry, document: withPictures(entry.document, `${ctx.baseUrl}${PICTURES_PATH}`) }
  const { html } = await previewTemplate(ctx, projectId, template)
  return { ...template, html }
}
