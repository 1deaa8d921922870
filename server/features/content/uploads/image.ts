/**
 * Determines the type of an uploaded file by its content; its name and declared type are ignored. The four formats that
 * every mail client shows are accepted. SVG can contain scripts and is refused.
 */
import { invalidField } from '../../../kernel/errors.ts'
import { cleanGif } from './image-gif.ts'
import { cleanJpeg } from './image-jpeg.ts'
import { BrokenImage, type CleanImage } from './image-parts.ts'
import { cleanPng } from './image-png.ts'
import { cleanWebp } from './image-webp.ts'

const SIDE_MAX = 10_000
const PIXELS_MAX = 50_000_000
/** Enough to detect the type. In the whole file, the library would search for further parts. */
const START_BYTES = 4_096

type Extension = 'png' | 'jpg' | 'gif' | 'webp'

export const CONTENT_TYPES: Record<Extension, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

const CLEANERS: Record<string, { extension: Extension; clean: (bytes: Buffer) => CleanImage }> = {
  'image/png': { extension: 'png', clean: cleanPng },
  'image/apng': { extension: 'png', clean: cleanPng },
  'image/jpeg': { extension: 'jpg', clean: cleanJpeg },
  'image/gif': { extension: 'gif', clean: cleanGif },
  'image/webp': { extension: 'webp', clean: cleanWebp },
}

/** The image without metadata; throws a refusal if it is invalid. */
export async function readImage(bytes: Buffer): Promise<CleanImage & { extension: Extension; contentType: string }> {
  const refuse = (message: string) => invalidField('image', message)
  if (bytes.length === 0) throw refuse('The file is empty.')
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes.subarray(0, START_BYTES)).catch(() => undefined)
  const format = type && CLEANERS[type.mime]
  if (!format)
    throw refuse(
      'The file is not a PNG, JPEG, GIF or WebP image. The type is detected from the content, not from the file name.',
    )
  const image = cleaned(format.clean, bytes, refuse)
  const { width, height } = image
  if (width < 1 || height < 1) throw refuse('The file is not a valid image: it has no size.')
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX) {
    throw refuse(
      `The image has ${width} × ${height} pixels. The maximum is ${SIDE_MAX} per side and 50 million in total.`,
    )
  }
  return { ...image, extension: format.extension, contentType: CONTENT_TYPES[format.extension] }
}

function cleaned(clean: (bytes: Buffer) => CleanImage, bytes: Buffer, refuse: (message: string) => Error): CleanImage {
  try {
    return clean(bytes)
  } catch (error) {
    if (error instanceof BrokenImage) throw refuse(`The file is not a valid image: ${error.message}`)
    throw error
  }
}

const NAME_LENGTH_MAX = 60

/** The original name as far as it is valid in a URL, with the extension of its actual type. */
export function fileNameFor(given: string, extension: string): string {
  const base = given.replace(/^.*[\\/]/s, '').replace(/\.[^.]*$/, '')
  const plain = base
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '')
  return `${plain || 'image'}.${extension}`
}

const NAME_MAX = 100

/** The original name as people read it, in one line; the one in the URL if nothing is left of it. */
export function nameFor(given: string, fileName: string): string {
  const plain = given
    .replace(/^.*[\\/]/s, '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim()
  return [...plain].slice(0, NAME_MAX).join('').trim() || fileName
}
