/** What all image formats share: the properties of an image, and how it is refused. */

export interface CleanImage {
  width: number
  height: number
  /** Without metadata, and without data after its end. */
  bytes: Buffer
}

/** Completes the sentence "The file is not a usable image: …". */
export class BrokenImage extends Error {}

export const cutOff = () => new BrokenImage('it is incomplete.')

/** A view of part of the file, which must be complete. */
export function slice(bytes: Buffer, from: number, length: number): Buffer {
  if (from < 0 || length < 0 || from + length > bytes.length) throw cutOff()
  return bytes.subarray(from, from + length)
}
