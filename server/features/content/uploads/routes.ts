/** Images over HTTP: uploaded by projects, served to everyone. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { listUploads, type Uploads } from './actions.ts'

const IMAGE_BYTES_MAX = 10 * 1024 * 1024

const ImageForm = z.object({ image: z.file().meta({ description: 'PNG, JPEG, GIF or WebP, at most 10 MB.' }) })

const UploadedImage = z
  .object({
    url: z.string().meta({ format: 'uri' }),
    filename: z.string(),
    contentType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    size: z.number().int(),
    width: z.int().meta({ description: 'In pixels.' }),
    height: z.int().meta({ description: 'In pixels.' }),
  })
  .meta({ id: 'UploadedImage' })

const Upload = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ format: 'uri' }),
    filename: z.string(),
    contentType: z.string(),
    size: z.int().meta({ description: 'In bytes.' }),
    width: z.int().meta({ description: 'In pixels.' }),
    height: z.int().meta({ description: 'In pixels.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'Upload' })

const UploadsQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  search: z.string().max(100).optional().meta({ description: 'Return only images whose file name contains this.' }),
})

/** A URL is never reused, so its content never changes. It can't be displayed as a page. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

export const uploadRoutes = [
  route({
    method: 'POST',
    path: '/uploads/image',
    client: 'uploads.image',
    access: 'project',
    tag: 'Uploads',
    summary: 'Upload an image',
    description:
      'The image type is detected from the content, not from the file name. Metadata such as camera data and comments is removed. The URL in the response is public and never changes.',
    upload: { field: 'image', maxBytes: IMAGE_BYTES_MAX },
    body: ImageForm,
    replies: { 201: { description: 'The URL of the image.', schema: UploadedImage } },
    handle: (_ctx, { caller, file }, { uploads }: { uploads: Uploads }) => uploads.uploadImage(caller.projectId, file),
  }),
  route({
    method: 'GET',
    path: '/uploads/images',
    client: 'uploads.list',
    access: 'project',
    tag: 'Uploads',
    summary: 'List images',
    description: 'The images that the project has uploaded, newest first.',
    query: UploadsQuery,
    replies: { 200: { description: 'A page of images.', schema: cursorPageOf(Upload) } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listUploads(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/uploads/{projectId}/{name}',
    access: 'open',
    tag: 'Uploads',
    summary: 'Get an image',
    params: { projectId: idOf('project'), name: 'text' },
    replies: {
      200: { description: 'The image.', contentType: 'image/*' },
      304: { description: 'Not modified.' },
    },
    handle: async (_ctx, { params, facts }, { uploads }: { uploads: Uploads }) => {
      const image = await uploads.getImage(params.projectId, params.name)
      const headers = { ...HEADERS, etag: `"${params.name.slice(0, 32)}"` }
      if (facts.headers['if-none-match'] === headers.etag) {
        image.content.destroy()
        return new CustomResponse(304, undefined, headers)
      }
      const length = { 'content-length': String(image.size), 'content-type': image.contentType }
      return new CustomResponse(200, image.content, { ...headers, ...length })
    },
  }),
]
