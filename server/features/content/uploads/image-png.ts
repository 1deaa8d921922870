/** PNG: a signature and chunks. Text, time and camera data are removed, and data after the last chunk. */
import { BrokenImage, type CleanImage, createPartCount, PARTS_MAX, slice } from './image-parts.ts'

const SIGNATURE_BYTES = 8
const METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'])

export function cleanPng(bytes: Buffer): CleanImage {
  const kept = [slice(bytes, 0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  const countPart = createPartCount(PARTS_MAX)
  for (;;) {
    countPart()
    const head = slice(bytes, at, 8)
    const type = head.toString('latin1', 4)
    const chunk = slice(bytes, at, 12 + head.readUInt32BE(0)) // length, type, data, checksum
    if (!size) {
      if (type !== 'IHDR' || chunk.length !== 25) throw new BrokenImage('its header is damaged.')
      size = { width: chunk.readUInt32BE(8), height: chunk.readUInt32BE(12) }
    }
    if (type === 'IDAT') hasPixels = true
    if (!METADATA.has(type)) kept.push(chunk)
    if (type === 'IEND') break
    at += chunk.length
  }
  if (!hasPixels) throw new BrokenImage('it has no pixels.')
  return { ...size, bytes: Buffer.concat(kept) }
}
