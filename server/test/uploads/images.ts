/** Small images of every kind for uploads, built here so that each byte is known. */
import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A grey PNG. `extra` chunks come before the pixels. */
export function png(width = 2, height = 2, extra: Record<string, string> = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const rows = width * height > 1_000_000 ? Buffer.alloc(10) : Buffer.alloc((width + 1) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...Object.entries(extra).map(([type, text]) => chunk(type, Buffer.from(text, 'latin1'))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function segment(marker: number, data: Buffer | string): Buffer {
  const body = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(2 + body.length, 2)
  return Buffer.concat([head, body])
}

/** A JPEG in structure; its pixels are noise. `segments` come after its first header. */
export function jpeg(segments: Buffer[] = []): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    ...segments,
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, Buffer.from([8, 0, 3, 0, 4, 1, 1, 0x11, 0])), // 4 wide, 3 high
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]), // an escaped 0xff and a restart
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Camera data in either byte order: an orientation, and where the photo was taken. */
export function camera(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const little = order === 'II'
  const tiff = Buffer.alloc(8 + 2 + 24 + 4)
  const u16 = (value: number, at: number) => (little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at))
  const u32 = (value: number, at: number) => (little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  tiff.write(order, 0, 'latin1')
  u16(42, 2)
  u32(8, 4)
  u16(2, 8)
  ;[0x010f, 0x0112].forEach((tag, i) => {
    u16(tag, 10 + i * 12)
    u16(3, 12 + i * 12)
    u32(1, 14 + i * 12)
    u16(tag === 0x0112 ? orientation : 7, 18 + i * 12)
  })
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 52.5 N 13.4 E')]))
}

export const comment = (text: string) => segment(0xfe, text)

/** One transparent pixel; `blocks` come before the image. */
export const gif = (blocks: Buffer[] = []): Buffer =>
  Buffer.concat([
    Buffer.from('47494638396101000100800000ffffff000000', 'hex'),
    ...blocks,
    Buffer.from('2c00000000010001000002024401003b', 'hex'),
  ])

export const gifComment = (text: string) =>
  Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), Buffer.from(text), Buffer.from([0])])

function riff(chunks: Array<[type: string, data: Buffer]>): Buffer {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    ...chunks.map(([type, data]) => {
      const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
      head.writeUInt32LE(data.length, 4)
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
    }),
  ])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** One pixel, lossless. */
const VP8L = Buffer.from('2f00000000078810ff02fe83880800', 'hex')

export const webp = () => riff([['VP8L', VP8L]])

/** In the extended format, with flags for its metadata. */
export const webpWithMetadata = (text: string) =>
  riff([
    ['VP8X', Buffer.from('0c000000000000000000', 'hex')],
    ['VP8L', VP8L],
    ['EXIF', Buffer.from(text)],
    ['XMP ', Buffer.from(text)],
  ])
