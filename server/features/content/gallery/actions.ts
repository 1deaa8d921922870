/** The gallery: ready-made templates that come with Posthorn, the same for every project. */
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { previewTemplate } from '../templates/preview.ts'
import { accountTemplates } from './account-templates.ts'
import { marketingTemplates } from './marketing-templates.ts'
import { orderTemplates } from './order-templates.ts'
import type { GalleryTemplate } from './schemas.ts'

export const gallery: GalleryTemplate[] = [...accountTemplates, ...orderTemplates, ...marketingTemplates]

/** Without the documents, which are much longer than the rest. */
export const listGallery = () => gallery.map(({ document: _document, data: _data, ...entry }) => entry)

/** Rendered with the brand of the project, as an email would be. */
export async function getGalleryTemplate(ctx: Context, projectId: string, slug: string) {
  const template = gallery.find((one) => one.slug === slug)
  if (!template) throw notFound('gallery template', slug)
  const { html } = await previewTemplate(ctx, projectId, template)
  return { ...template, html }
}
