/** The gallery over HTTP. */
import { notFound } from '../../../kernel/errors.ts'
import { CustomResponse, route } from '../../../platform/http/route.ts'
import { getGalleryTemplate, listGallery, PICTURES_PATH } from './actions.ts'
import { readPicture } from './pictures.ts'
import { GalleryList, GalleryTemplateWithPreview } from './schemas.ts'

const PICTURE_HEADERS = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

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
  route({
    method: 'GET',
    path: `${PICTURES_PATH}/{name}`,
    access: 'open',
    tag: 'Templates',
    summary: 'Get a picture of the gallery',
    description:
      'The pictures in the newsletters of the gallery. Emails that start from one of them show it from here.',
    params: { name: 'text' },
    replies: { 200: { description: 'The picture.', contentType: 'image/png' } },
    refusals: [404],
    handle: async (_ctx, { params }) => {
      const picture = await readPicture(params.name.replace(/\.png$/, ''))
      if (!picture) throw notFound('picture', params.name)
      return new CustomResponse(200, picture, PICTURE_HEADERS)
    },
  }),
]
