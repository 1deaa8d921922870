/** Request and response schemas of images. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'

const NAME_MAX = 100
const ALT_MAX = 500

const ONE_LINE = /^\P{Cc}*$/u

/** In one line, as it is shown in lists and attributes. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Must be at most ${max} characters.`)
    .regex(ONE_LINE, 'Must not contain line breaks or control characters.')

const name = line(NAME_MAX)
  .min(1, 'Must not be empty.')
  .meta({ description: 'What the image is called in the library. Its URL keeps the file name.' })
const FOLDER = 'A folder exists while an image is in it. Empty: none.'
const folder = line(NAME_MAX).meta({ description: FOLDER })
const alt = line(ALT_MAX).meta({
  description:
    'The alternative text that the dashboard proposes when the image is inserted into an email. Empty: none.',
})

export const ImageForm = z.object({
  image: z.file().meta({ description: 'PNG, JPEG, GIF or WebP, at most 10 MB.' }),
  name: name.optional(),
  folder: folder.optional(),
  alt: alt.optional(),
})

/** The fields of the form, without the file. */
export const ImageFormFields = ImageForm.omit({ image: true })
export type ImageFields = z.output<typeof ImageFormFields>

export const ImageChanges = z
  .object({ name, folder: folder.nullable().meta({ description: FOLDER }), alt: alt.nullable() })
  .partial()
export type ImageDetails = z.output<typeof ImageChanges>

const details = {
  name: z.string(),
  folder: z.string().nullable().meta({ description: 'The folder in the image library. Null: none.' }),
  alt: z.string().nullable().meta({ description: 'The alternative text that is proposed in emails.' }),
}

export const UploadedImage = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ format: 'uri' }),
    filename: z.string(),
    ...details,
    contentType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    size: z.number().int(),
    width: z.int().meta({ description: 'In pixels.' }),
    height: z.int().meta({ description: 'In pixels.' }),
  })
  .meta({ id: 'UploadedImage' })

export const Upload = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ format: 'uri' }),
    filename: z.string(),
    ...details,
    contentType: z.string(),
    size: z.int().meta({ description: 'In bytes.' }),
    width: z.int().meta({ description: 'In pixels.' }),
    height: z.int().meta({ description: 'In pixels.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'Upload' })

export const UploadPage = cursorPageOf(Upload)

export const USES_MAX = 100

const ImageUse = z.object({
  type: z.enum(['template', 'campaign', 'layout', 'saved-blocks', 'branding']),
  id: z.uuid().meta({ description: 'Of the template, the campaign and so on; of the project for `branding`.' }),
  name: z.string(),
})
export const UploadWithUses = Upload.extend({
  usedIn: z.array(ImageUse).meta({
    description: `Up to ${USES_MAX} of what contains the URL of the image now: templates, campaigns, layouts, saved blocks and the logo of the project. Emails that were sent by \`POST /v1/send\` are not searched.`,
  }),
}).meta({ id: 'UploadWithUses' })

export const FolderList = z
  .array(z.object({ name: z.string(), images: z.int().meta({ description: 'How many images are in it.' }) }))
  .meta({ id: 'ImageFolderList', description: 'By name.' })

export const UploadsQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  search: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Return only images whose name or file name contains this.' }),
  folder: z
    .string()
    .max(NAME_MAX)
    .optional()
    .meta({ description: 'Return only images in this folder. Empty: images in no folder.' }),
})
export type UploadsQuery = z.output<typeof UploadsQuery>
