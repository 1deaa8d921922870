/** The templates of the gallery, and how they are returned. */
import { z } from 'zod'
import { EmailDocument } from '../../../kernel/content/email-document.ts'
import { CONTENT_TYPES } from '../../../kernel/content/mail-content.ts'

const CATEGORIES = ['Onboarding', 'Account', 'Orders', 'Lifecycle', 'Newsletters'] as const

const GalleryEntry = z
  .object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.enum(CATEGORIES),
    type: z.enum(CONTENT_TYPES),
    subject: z.string().meta({ description: 'Supports Liquid.' }),
    preheader: z.string(),
  })
  .meta({ id: 'GalleryEntry' })

export const GalleryList = z.array(GalleryEntry).meta({ id: 'GalleryList' })

export const GalleryTemplate = GalleryEntry.extend({
  document: EmailDocument,
  data: z.record(z.string(), z.unknown()).meta({ description: 'Sample data for previews and test emails.' }),
})
export type GalleryTemplate = z.output<typeof GalleryTemplate>

export const GalleryTemplateWithPreview = GalleryTemplate.extend({
  html: z.string().meta({ description: 'The email with the sample data and the brand of the project.' }),
}).meta({ id: 'GalleryTemplate' })
