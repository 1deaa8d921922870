/** The gallery over HTTP. */
import { route } from '../../../platform/http/route.ts'
import { getGalleryTemplate, listGallery } from './actions.ts'
import { GalleryList, GalleryTemplateWithPreview } from './schemas.ts'

export const galleryRoutes = [
  route({
    method: 'GET',
    path: '/templates/gallery',
    client: 'templates.gallery',
    access: 'project',
    tag: 'Templates',
    summary: 'List gallery templates',
    description: 'Ready-made templates to start from. They are part of Posthorn and the same for every project.',
    replies: { 200: { description: 'All templates of the gallery, without their documents.', schema: GalleryList } },
    handle: () => listGallery(),
  }),
  route({
    method: 'GET',
    path: '/templates/gallery/{slug}',
    client: 'templates.galleryTemplate',
    access: 'project',
    tag: 'Templates',
    summary: 'Get a gallery template',
    description:
      "The document, sample data and a preview in the project's brand. To use it, create a template with its `subject`, `preheader`, `type` and `document`.",
    params: { slug: 'text' },
    replies: { 200: { description: 'The template with its document.', schema: GalleryTemplateWithPreview } },
    refusals: [404],
    handle: (ctx, { caller, params }) => getGalleryTemplate(ctx, caller.projectId, params.slug),
  }),
]
