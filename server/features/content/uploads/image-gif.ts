/** GIF: blocks after a header. Comments and XMP are removed; the loop count of an animation is kept. */
import {
  BrokenImage,
  type CleanImage,
  createPartCount,
  cutOff,
  PARTS_MAX,
  SMALL_PARTS_MAX,
  slice,
} from './image-parts.ts'

const [EXTENSION, IMAGE, TRAILER, COMMENT, APPLICATION] = [0x21, 0x2c, 0x3b, 0xfe, 0xff]
const HEADER_BYTES = 13

export function cleanGif(bytes: Buffer): CleanImage {
  const header = slice(bytes, 0, HEADER_BYTES)
  const start = HEADER_BYTES + colourTableBytes(header[10]!)
  const kept = [slice(bytes, 0, start)]
  const countPart = createPartCount(PARTS_MAX)
  const countSmallPart = createPartCount(SMALL_PARTS_MAX)
  let hasPixels = false
  let at = start
  for (;;) {
    countPart()
    const kind = slice(bytes, at, 1)[0]
    if (kind === TRAILER) break
    const end =
      kind === IMAGE
        ? endOfImage(bytes, at, countSmallPart)
        : kind === EXTENSION
          ? endOfBlocks(bytes, at + 2, countSmallPart)
          : undefined
    if (end === undefined) throw new BrokenImage('it is damaged.')
    if (kind === IMAGE) hasPixels = true
    if (!(kind === EXTENSION && isMetadata(bytes, at))) kept.push(bytes.subarray(at, end))
    at = end
  }
  if (!hasPixels) throw new BrokenImage('it has no pixels.')
  kept.push(Buffer.from([TRAILER]))
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8), bytes: Buffer.concat(kept) }
}

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Descriptor, an optional color table, a byte for the decoder, then the data. */
function endOfImage(bytes: Buffer, at: number, countPart: () => void): number {
  const flags = slice(bytes, at, 10)[9]!
  return endOfBlocks(bytes, at + 10 + colourTableBytes(flags) + 1, countPart)
}

/** Each block starts with its length; length 0 ends the sequence. */
function endOfBlocks(bytes: Buffer, from: number, countPart: () => void): number {
  let at = from
  for (;;) {
    countPart()
    const length = bytes[at]
    if (length === undefined) throw cutOff()
    at += 1 + length
    if (length === 0) return at
  }
}

function isMetadata(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  return label === COMMENT || (label === APPLICATION && bytes.toString('latin1', at + 3, at + 11) === 'XMP Data')
}
