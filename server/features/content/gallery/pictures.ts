/** The pictures of the newsletters in the gallery: PNG files, twice as large as they are shown. The build copies them beside the bundle. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

export const PICTURES = ['morning', 'windows', 'lights', 'board'] as const

export type PictureName = (typeof PICTURES)[number]

/** Undefined if there is none of this name. */
export async function readPicture(name: string): Promise<Buffer | undefined> {
  const known = PICTURES.find((one) => one === name)
  return known && readFile(path.join(import.meta.dirname, `pictures/${known}.png`))
}
