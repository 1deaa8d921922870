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

/** More than real images have. Each part takes time, while other requests wait. */
export const PARTS_MAX = 10_000
/** The same for parts of a few bytes inside them: of 10 MB, an ordinary GIF or JPEG has about 40,000. */
export const SMALL_PARTS_MAX = 100_000

/** Called for each part of a file; refuses one that consists of too many. */
export function createPartCount(max: number): () => void {
  let count = 0
  return () => {
    if (++count > max) throw new BrokenImage(`it has more than ${max} parts.`)
  }
}

/** A view of part of the file, which must be complete. */
export function slice(bytes: Buffer, from: number, length: number): Buffer {
  if (from < 0 || length < 0 || from + length > bytes.length) throw cutOff()
  return bytes.subarray(from, from + length)
}
