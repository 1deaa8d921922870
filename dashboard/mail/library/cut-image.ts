/** Cuts a rectangle out of an uploaded image, in the browser. */
import { SERVICE_URL } from '../../data/api.ts'
import type { Area } from './crop-area.ts'

const JPEG_QUALITY = 0.92
const PATH = '/uploads/'

/**
 * The file is read from the origin of the dashboard, which may have another name than the one in the URL of the image:
 * the browser lets a page read only pixels from its own origin. A format that the browser can't write becomes PNG.
 */
export async function cutImage(url: string, contentType: string, area: Area): Promise<Blob> {
  const response = await fetch(`${SERVICE_URL}${url.slice(url.indexOf(PATH))}`)
  if (!response.ok) throw new Error(`the image responded with ${response.status}`)
  const source = await createImageBitmap(await response.blob())
  const canvas = document.createElement('canvas')
  canvas.width = area.width
  canvas.height = area.height
  const { x, y, width, height } = area
  canvas.getContext('2d')?.drawImage(source, x, y, width, height, 0, 0, width, height)
  source.close()
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('the browser wrote no image')))
    canvas.toBlob(done, contentType === 'image/gif' ? 'image/png' : contentType, JPEG_QUALITY)
  })
}
