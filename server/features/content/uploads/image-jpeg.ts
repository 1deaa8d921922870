/**
 * JPEG: segments, then compressed data between further segments. Camera data (place, time, device), comments and data
 * after the end are removed; color profiles are kept. Of the camera data, only the orientation of a rotated photo is
 * kept.
 */
import {
  BrokenImage,
  type CleanImage,
  createPartCount,
  cutOff,
  PARTS_MAX,
  SMALL_PARTS_MAX,
  slice,
} from './image-parts.ts'

const [SOI, EOI, SOS, COM, APP1, APP13] = [0xd8, 0xd9, 0xda, 0xfe, 0xe1, 0xed]
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

export function cleanJpeg(bytes: Buffer): CleanImage {
  if (bytes[1] !== SOI) throw new BrokenImage('its header is damaged.')
  const kept = [slice(bytes, 0, 2)]
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  let orientation = 1
  const countPart = createPartCount(PARTS_MAX)
  const countSmallPart = createPartCount(SMALL_PARTS_MAX)
  let at = 2
  for (;;) {
    countPart()
    const marker = markerAt(bytes, at)
    at = marker.at
    if (marker.code === EOI) break
    if (isBare(marker.code)) {
      kept.push(slice(bytes, at, 2))
      at += 2
      continue
    }
    const segment = slice(bytes, at, 2 + slice(bytes, at + 2, 2).readUInt16BE(0))
    if (segment.length < 4) throw new BrokenImage('it is damaged.')
    if (isFrame(marker.code)) {
      if (segment.length < 9) throw new BrokenImage('its header is damaged.')
      size ??= { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) }
    }
    if (marker.code === APP1) orientation = orientationIn(segment) ?? orientation
    else if (marker.code !== COM && marker.code !== APP13) kept.push(segment)
    at += segment.length
    if (marker.code === SOS) {
      const end = endOfScan(bytes, at, countSmallPart)
      kept.push(bytes.subarray(at, end))
      hasPixels ||= end > at
      at = end
    }
  }
  if (!size || !hasPixels) throw new BrokenImage('it has no pixels.')
  kept.push(Buffer.from([0xff, EOI]))
  if (orientation !== 1) kept.splice(1, 0, orientationSegment(orientation))
  return { ...(orientation > 4 ? { width: size.height, height: size.width } : size), bytes: Buffer.concat(kept) }
}

/** The next marker; it can be preceded by fill bytes. */
function markerAt(bytes: Buffer, from: number): { code: number; at: number } {
  let at = from
  if (at + 1 >= bytes.length) throw cutOff()
  if (bytes[at] !== 0xff) throw new BrokenImage('it is damaged.')
  while (bytes[at + 1] === 0xff) at++
  if (at + 1 >= bytes.length) throw cutOff()
  return { code: bytes[at + 1]!, at }
}

/** Compressed data continues until a marker that is neither an escaped 0xff nor a restart. */
function endOfScan(bytes: Buffer, from: number, countPart: () => void): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    countPart()
    const next = bytes[at + 1]!
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  throw cutOff()
}

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const ORIENTATION = 0x0112
const ENTRIES_MAX = 200

/** The orientation (2 to 8) in a segment of camera data, if it has one. */
function orientationIn(segment: Buffer): number | undefined {
  const tiff = segment.subarray(4 + EXIF.length)
  if (!segment.subarray(4, 4 + EXIF.length).equals(EXIF) || tiff.length < 8) return undefined
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = Math.min(u16(directory), ENTRIES_MAX)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12
    const value = u16(entry + 8)
    if (u16(entry) === ORIENTATION && value >= 2 && value <= 8) return value
  }
  return undefined
}

/** Camera data with a single entry. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const head = Buffer.from([0xff, APP1, 0, 2 + EXIF.length + tiff.length])
  return Buffer.concat([head, EXIF, tiff])
}
