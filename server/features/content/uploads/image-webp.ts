/** WebP: a RIFF file of chunks. Camera data and XMP are removed, and their flags in the header are cleared. */
import { BrokenImage, type CleanImage, createPartCount, cutOff, PARTS_MAX, slice } from './image-parts.ts'

const METADATA = new Set(['EXIF', 'XMP '])
const METADATA_FLAGS = 0b1100

export function cleanWebp(bytes: Buffer): CleanImage {
  const end = 8 + slice(bytes, 0, 12).readUInt32LE(4)
  if (end > bytes.length) throw cutOff()
  const kept: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  const countPart = createPartCount(PARTS_MAX)
  for (let at = 12; at + 8 <= end; ) {
    countPart()
    const length = bytes.readUInt32LE(at + 4)
    const chunk = slice(bytes.subarray(0, end), at, 8 + length)
    const type = chunk.toString('latin1', 0, 4)
    size ??= sizeIn(type, chunk.subarray(8))
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') hasPixels = true
    if (!METADATA.has(type)) kept.push(type === 'VP8X' ? withoutMetadataFlags(chunk) : chunk, Buffer.alloc(length % 2))
    at += 8 + length + (length % 2)
  }
  if (!size || !hasPixels) throw new BrokenImage('it has no pixels.')
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { ...size, bytes: Buffer.concat([head, body]) }
}

function sizeIn(type: string, data: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8X') {
    const canvas = slice(data, 4, 6)
    return { width: canvas.readUIntLE(0, 3) + 1, height: canvas.readUIntLE(3, 3) + 1 }
  }
  if (type === 'VP8L') {
    if (slice(data, 0, 5)[0] !== 0x2f) throw new BrokenImage('its header is damaged.')
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (type === 'VP8 ') {
    if (slice(data, 3, 7).readUIntBE(0, 3) !== 0x9d012a) throw new BrokenImage('its header is damaged.')
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  }
  return undefined
}

function withoutMetadataFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk)
  copy[8]! &= ~METADATA_FLAGS
  return copy
}
