/** Images over HTTP: uploaded and organized by projects, served to everyone. */
import { CustomResponse, idOf, route, validate } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import type { Uploads } from './actions.ts'
import { changeImage, deleteImage, findImage, listFolders, listUploads } from './library.ts'
import {
  FolderList,
  ImageChanges,
  ImageForm,
  ImageFormFields,
  Upload,
  UploadedImage,
  UploadPage,
  UploadsQuery,
  UploadWithUses,
} from './schemas.ts'

const IMAGE_BYTES_MAX = 10 * 1024 * 1024

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
    handle: (_ctx, { caller, file }, { uploads }: { uploads: Uploads }) =>
      uploads.uploadImage(caller.projectId, file, validate(ImageFormFields, file.fields)),
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
    replies: { 200: { description: 'A page of images.', schema: UploadPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listUploads(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/uploads/folders',
    client: 'uploads.folders',
    access: 'project',
    tag: 'Uploads',
    summary: 'List folders of images',
    description: 'By name, with the number of images in each. A folder exists while an image is in it.',
    replies: { 200: { description: 'All folders.', schema: FolderList } },
    handle: (ctx, { caller }) => listFolders(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/uploads/images/{id}',
    client: 'uploads.get',
    access: 'project',
    tag: 'Uploads',
    summary: 'Get an image and where it is used',
    params: { id: idOf('image') },
    expensive: true,
    replies: { 200: { description: 'The image.', schema: UploadWithUses } },
    handle: (ctx, { caller, params }) => findImage(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/uploads/images/{id}',
    client: 'uploads.update',
    access: 'project',
    tag: 'Uploads',
    summary: 'Rename, move or describe an image',
    description:
      'The URL and the file stay the same, and so do the emails that already use the image: they keep their own alternative text.',
    params: { id: idOf('image') },
    body: ImageChanges,
    replies: { 200: { description: 'The image.', schema: Upload } },
    handle: (ctx, { caller, params, body, facts }) =>
      changeImage(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    method: 'DELETE',
    path: '/uploads/images/{id}',
    client: 'uploads.delete',
    access: 'project',
    tag: 'Uploads',
    summary: 'Delete an image',
    description:
      'Deletes the image even if emails use it. Its URL responds with 404 within 15 minutes, also for emails that were already sent: recipients who open one then see its alternative text. `usedIn` of `GET /uploads/images/{id}` names what uses it.',
    params: { id: idOf('image') },
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) => deleteImage(ctx, caller.projectId, params.id, actorOf(caller, facts)),
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
